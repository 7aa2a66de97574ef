import Foundation
import Locking

/// An observer of a property that text names. Neither the observer nor the object is kept alive.
// Proof of `@unchecked Sendable`: all is constant but the observation, which is behind a lock; the runtime guards weak
// references.
final class KeyPathRegistration: @unchecked Sendable {
    let keyPath: String
    let context: UnsafeMutableRawPointer?
    // In their `deinit`, objects are no longer found by weak references, but still remove observers.
    private let observerIdentifier: ObjectIdentifier
    private let objectIdentifier: ObjectIdentifier
    private weak var observer: NSObject?
    private weak var object: NSObject?
    private let observation = Mutex<NSKeyValueObservation?>(nil)

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

    /// Begins to tell the observer; with the option `.initial` immediately.
    ///
    /// An observer that is removed meanwhile is told no more once nothing refers to this object, which ends the
    /// observation.
    func start(_ property: KeyedProperty, _ options: NSKeyValueObservingOptions) {
        let started = property.observe(options) { [weak self] in self?.tell($0, $1) }
        observation.withLock { $0 = started }
    }

    func end() { observation.withLock { $0 }?.invalidate() }

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
