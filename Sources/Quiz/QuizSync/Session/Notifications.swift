public import Foundation

extension Notification.Name {
    /// The object is the ``MessagePackage`` that arrived, status “received”; a ``PendingReply`` lies under
    /// ``NotificationKey/reply`` if its sender waits for one. Posted where the delegate has no ``MessageReceiver``.
    public static let didReceiveData = Notification.Name("WatchLinkDidReceiveData")
    /// The object is the session, which was given a context, a user info or a file.
    public static let didReceiveTransfer = Notification.Name("WatchLinkDidReceiveTransfer")
    /// The object is a ``MessagePackage`` that has a new status.
    public static let messageStatusDidChange = Notification.Name("WatchLinkMessageStatusDidChange")
    /// The object is the session; its `activationState` tells how it ended, ``NotificationKey/error`` why.
    public static let activationDidComplete = Notification.Name("WatchLinkActivationDidComplete")
    /// The object is the session.
    public static let reachabilityDidChange = Notification.Name("WatchLinkReachabilityDidChange")
    /// The object is the session, which is about to leave its watch.
    public static let sessionDidBecomeInactive = Notification.Name("WatchLinkSessionDidBecomeInactive")
    /// The object is the session, which has left its watch.
    public static let sessionDidDeactivate = Notification.Name("WatchLinkSessionDidDeactivate")
    /// The object is the ``QuizStoreChange`` that a host's database went through.
    public static let quizStoreDidChange = Notification.Name("WatchLinkQuizStoreDidChange")
}
