/// Keys of the notifications' `userInfo`.
public enum NotificationKey {
    public static let reply = "reply"
    public static let error = "error"
}
