import Foundation
import Locking

/// Who observes which property of a session.
final class ObserverList: Sendable {
    private struct Observer {
        let identifier: UInt64
        let keyPath: UncheckedBox<AnyKeyPath>
        let notify: UncheckedBox<(WCSession, Any, Any) -> Void>
    }

    private struct Observers {
        var list: [Observer] = []
        var lastIdentifier: UInt64 = 0
    }

    private let observers = Mutex(Observers())

    func add<Value>(
        _ keyPath: KeyPath<WCSession, Value>, options: NSKeyValueObservingOptions,
        handler: @escaping (WCSession, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let keyPath = UncheckedBox<AnyKeyPath>(keyPath)
        let notify = UncheckedBox<(WCSession, Any, Any) -> Void> { session, old, new in
            let change = NSKeyValueObservedChange(
                newValue: options.contains(.new) ? new as? Value : nil,
                oldValue: options.contains(.old) ? old as? Value : nil)
            handler(session, change)
        }
        let identifier = observers.withLock { observers in
            observers.lastIdentifier += 1
            observers.list.append(Observer(identifier: observers.lastIdentifier, keyPath: keyPath, notify: notify))
            return observers.lastIdentifier
        }
        return NSKeyValueObservation { [weak self] in
            self?.observers.withLock { $0.list.removeAll { $0.identifier == identifier } }
        }
    }

    /// Calls the observers of a property. On the delegate queue.
    func changed(_ keyPath: AnyKeyPath, of session: WCSession, from old: Any, to new: Any) {
        let interested = observers.withLock { $0.list }
        for observer in interested where observer.keyPath.value == keyPath { observer.notify.value(session, old, new) }
    }
}
