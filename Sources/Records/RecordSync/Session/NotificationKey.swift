/// The keys of the notifications' `userInfo`.
public enum NotificationKey {
    /// The ``PendingReply`` of a message.
    public static let reply = "reply"
    /// The reason for a failed activation, a string.
    public static let error = "error"
}
