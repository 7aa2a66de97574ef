public import Foundation
public import RecordStorage

extension Notification.Name {
    /// A message arrived. The object is its `MessagePackage` with the status “received”; `userInfo` has a
    /// ``PendingReply`` under ``NotificationKey/reply`` if the sender waits for a reply. Posted only if the delegate
    /// has no ``MessageReceiver``.
    public static let didReceiveData = Notification.Name("WatchLinkDidReceiveData")
    /// A context, a user info or a file arrived. The object is the session.
    public static let didReceiveTransfer = Notification.Name("WatchLinkDidReceiveTransfer")
    /// The transfer of a payload's file ended. The object is the ``FileTransferEnd``.
    public static let fileTransferDidEnd = Notification.Name("WatchLinkFileTransferDidEnd")
    /// A message has a new status. The object is its `MessagePackage`.
    public static let messageStatusDidChange = Notification.Name("WatchLinkMessageStatusDidChange")
    /// The activation ended. The object is the session with its `activationState`; ``NotificationKey/error`` has the
    /// reason for a failure.
    public static let activationDidComplete = Notification.Name("WatchLinkActivationDidComplete")
    /// The reachability of the counterpart changed. The object is the session.
    public static let reachabilityDidChange = Notification.Name("WatchLinkReachabilityDidChange")
    /// The session is about to leave its watch. The object is the session.
    public static let sessionDidBecomeInactive = Notification.Name("WatchLinkSessionDidBecomeInactive")
    /// The session has left its watch. The object is the session.
    public static let sessionDidDeactivate = Notification.Name("WatchLinkSessionDidDeactivate")

    /// Returns the name of the notification that a host's database of a kind changed. The object is the
    /// ``RecordStoreChange``.
    public static func storeDidChange(of kind: RecordKind) -> Notification.Name {
        Notification.Name("WatchLink\(kind.name.prefix(1).uppercased() + kind.name.dropFirst())StoreDidChange")
    }
}
