import DeviceShell
import LinkProtocol
import Locking

/// Tells the observers of a session's properties, on the delegate queue.
extension SessionCore {
    /// A property of the application's session has another value.
    func observe<Value: Sendable>(_ keyPath: any KeyPath<WCSession, Value> & Sendable, from old: Value, to new: Value) {
        queue.enqueue { [self] in
            guard let session = ownerSession else { return }
            calling(.observer) { observers.changed(keyPath, of: session, from: old, to: new) }
        }
    }

    /// With its first activation a session knows of its watch.
    func tellWatchIsKnown(_ view: WatchView) {
        queue.enqueue { [self] in
            guard let session = ownerSession else { return }
            calling(.observer) { WatchView().differences(from: view, of: session, tell: observers.changed) }
        }
    }

    /// What a session shows of its transfers has another value.
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
