/// The kind of a message or transfer, by the app's call that starts it.
package enum Channel: String, CaseIterable, Sendable {
    case message = "sendMessage"
    case data = "sendMessageData"
    case context = "updateApplicationContext"
    case userInfo = "transferUserInfo"
    case complication = "transferCurrentComplicationUserInfo"
    case file = "transferFile"

    /// The channel whose order the receiver sees: messages of both kinds arrive in one.
    var lane: Channel { self == .data ? .message : self }

    /// Creates the channel of a delegate's method; nil for a method that is called with no content.
    init?(delivery kind: String) {
        switch kind {
        case "didReceiveMessage", "didReceiveMessageWithReply": self = .message
        case "didReceiveMessageData", "didReceiveMessageDataWithReply": self = .data
        case "didReceiveContext": self = .context
        // A complication's arrives as any other.
        case "didReceiveUserInfo": self = .userInfo
        case "didReceiveFile": self = .file
        default: return nil
        }
    }
}
