/// The keys of the notifications' `userInfo`.
public enum NotificationKey {
    /// The ``PendingReply`` of a message.
    public static let reply = "reply"
    /// The reason of a failed activation, a string.
    public static let error = "error"
}
