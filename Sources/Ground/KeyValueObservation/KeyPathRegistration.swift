import Foundation
import Locking

/// An observer of a property that text names. Neither the observer nor the object is kept alive.
// Proof of `@unchecked Sendable`: all is constant but the observation, which is behind a lock; the runtime guards weak
// references.
final class KeyPathRegistration: @unchecked Sendable {
    private enum State {
        case starting
        case running(NSKeyValueObservation)
        case ended
    }

    let keyPath: String
    let context: UnsafeMutableRawPointer?
    // In their `deinit`, objects are no longer found by weak references, but still remove observers.
    private let observerIdentifier: ObjectIdentifier
    private let objectIdentifier: ObjectIdentifier
    private weak var observer: NSObject?
    private weak var object: NSObject?
    private let state = Mutex(State.starting)

    init(_ observer: NSObject, of object: NSObject, _ keyPath: String, _ context: UnsafeMutableRawPointer?) {
        self.observer = observer
        self.object = object
        self.keyPath = keyPath
        self.context = context
        observerIdentifier = ObjectIdentifier(observer)
        objectIdentifier = ObjectIdentifier(object)
    }

    var isOver: Bool { observer == nil || object == nil }

    func isOf(_ observer: NSObject, _ object: NSObject, _ keyPath: String) -> Bool {
        observerIdentifier == ObjectIdentifier(observer) && objectIdentifier == ObjectIdentifier(object)
            && self.keyPath == keyPath
    }

    /// Begins to tell the observer; with the option `.initial` immediately, so that it may end the observation already.
    func start(_ property: KeyedProperty, _ options: NSKeyValueObservingOptions) {
        let observation = property.observe(options) { [weak self] in self?.tell($0, $1) }
        let isEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .running(observation)
            return false
        }
        if isEnded { observation.invalidate() }
    }

    func end() {
        let last = state.withLock { state in
            defer { state = .ended }
            return state
        }
        if case .running(let observation) = last { observation.invalidate() }
    }

    private func tell(_ object: Any, _ change: [NSKeyValueChangeKey: Any]) {
        guard let observer else { return end() }
        guard let told = observer as? any KeyPathObserver else {
            // On Apple's platforms, the exception NSInternalInconsistencyException ends the program here.
            fatalError(
                "\(type(of: observer)) observes “\(keyPath)” but cannot be told of a change; declare it as a "
                    + "KeyPathObserver, with observeValue(forKeyPath:of:change:context:)")
        }
        told.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
}
