import Foundation
package import Locking

/// The observers of an object's properties.
package final class ObserverList<Root: AnyObject>: Sendable {
    private struct Observer {
        let identifier: UInt64
        let keyPath: UncheckedBox<AnyKeyPath>
        let notify: UncheckedBox<(Root, Any, Any) -> Void>
        let memory: Memory
    }

    /// The last value that an observer received.
    // Proof of `@unchecked Sendable`: written before the observer is in the list, then on the delegate queue only; the
    // runtime guards weak references.
    private final class Memory: @unchecked Sendable {
        private(set) weak var root: Root?
        var value: Any

        init(_ root: Root, _ value: Any) {
            self.root = root
            self.value = value
        }
    }

    private struct Observers {
        var list: [Observer] = []
        var lastIdentifier: UInt64 = 0
    }

    private let observers = Mutex(Observers())

    package init() {}

    /// Starts an observation; with the option `.initial` the handler is called immediately.
    package func add<Value>(
        _ keyPath: KeyPath<Root, Value>, of root: Root, options: NSKeyValueObservingOptions,
        handler: @escaping (Root, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        func change(_ old: Value?, _ new: Value?, isPrior: Bool = false) -> NSKeyValueObservedChange<Value> {
            NSKeyValueObservedChange(
                kind: .setting, newValue: options.contains(.new) ? new : nil,
                oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: isPrior)
        }
        let observedKeyPath = UncheckedBox<AnyKeyPath>(keyPath)
        let notify = UncheckedBox<(Root, Any, Any) -> Void> { root, old, new in
            handler(root, change(old as? Value, new as? Value))
        }
        let memory = Memory(root, root[keyPath: keyPath])
        let identifier = observers.withLock { observers in
            observers.lastIdentifier += 1
            observers.list.append(
                Observer(
                    identifier: observers.lastIdentifier, keyPath: observedKeyPath, notify: notify, memory: memory))
            return observers.lastIdentifier
        }
        if options.contains(.initial) { handler(root, change(nil, root[keyPath: keyPath])) }
        return NSKeyValueObservation { [weak self] in
            self?.observers.withLock { $0.list.removeAll { $0.identifier == identifier } }
        }
    }

    /// Calls the observers of a property. On the delegate queue.
    package func changed(_ keyPath: AnyKeyPath, of root: Root, from old: Any, to new: Any) {
        let interested = observers.withLock { $0.list }
        for observer in interested where observer.keyPath.value == keyPath { observer.notify.value(root, old, new) }
    }

    /// Reads the new value of a property, for each observed object.
    ///
    /// - Returns: A closure that notifies the observers of the change since their last notification, to be called on
    ///   the delegate queue; nil if there are no observers.
    package func renewed<Value>(_ keyPath: AnyKeyPath, _ read: (Root) -> Value) -> UncheckedBox<() -> Void>? {
        let interested = observers.withLock { $0.list }.filter { $0.keyPath.value == keyPath }
        let tellings = interested.compactMap { observer in
            observer.memory.root.map { root in
                let new = read(root)
                return {
                    let old = observer.memory.value
                    observer.memory.value = new
                    observer.notify.value(root, old, new)
                }
            }
        }
        return tellings.isEmpty ? nil : UncheckedBox { for tell in tellings { tell() } }
    }
}
