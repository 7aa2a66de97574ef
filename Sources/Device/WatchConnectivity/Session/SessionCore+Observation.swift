import DeviceShell
import KeyValueObservation
import LinkProtocol
import Locking

/// Notifies the observers of a session's properties, on the delegate queue.
extension SessionCore {
    /// Reports a changed property of the application's session.
    func observe<Value: Sendable>(_ keyPath: any KeyPath<WCSession, Value> & Sendable, from old: Value, to new: Value) {
        queue.enqueue { [self] in
            guard let session = ownerSession else { return }
            calling(.observer) { observers.changed(keyPath, of: session, from: old, to: new) }
        }
    }

    /// Reports the watch's properties, which become known at the first activation.
    func tellWatchIsKnown(_ view: WatchView) {
        queue.enqueue { [self] in
            guard let session = ownerSession else { return }
            calling(.observer) { WatchView().differences(from: view, of: session, tell: observers.changed) }
        }
    }

    /// Reports a changed property of a session's transfers.
    func renewed(_ property: TransferObjects.Property) {
        switch property {
        case .sentContext:
            renewed(\.applicationContext) { $0.core.sentContext($0.counterpart?.identifier) }
        case .receivedContext:
            renewed(\.receivedApplicationContext) { $0.core.receivedContext($0.counterpart?.identifier) }
        case .userInfos:
            renewed(\.outstandingUserInfoTransfers) { $0.core.userInfoTransfers($0.counterpart?.identifier) }
        case .files:
            renewed(\.outstandingFileTransfers) { $0.core.fileTransfers($0.counterpart?.identifier) }
        }
    }

    func renewedComplicationBudget() {
        renewed(\.remainingComplicationUserInfoTransfers) {
            $0.core.remainingComplicationTransfers($0.counterpart?.identifier)
        }
    }

    private func renewed<Value>(_ keyPath: KeyPath<WCSession, Value>, _ read: (WCSession) -> Value) {
        guard let tell = observers.renewed(keyPath, read) else { return }
        queue.enqueue { [self] in calling(.observer) { tell.value() } }
    }
}
