import LinkProtocol

/// The content that a ledger counts, in the spelling of `WCSession`.
public enum SentContent: String, CaseIterable, Sendable {
    /// A message with a dictionary.
    case message
    /// A message with data.
    case messageData = "data message"
    /// A reply to a message of either form.
    case reply
    /// An application context.
    case applicationContext = "application context"
    /// A user info.
    case userInfo = "user info"
    /// A user info for the complication. Without an enabled complication, it is sent as ``userInfo``.
    case complicationUserInfo = "complication user info"
    /// A file.
    case file

    /// The kinds of the ledger's entries: a reply has none of its own, it is a state of its message.
    var kinds: [TransferKind] {
        switch self {
        case .message: [.message]
        case .messageData: [.data]
        case .reply: [.message, .data]
        case .applicationContext: [.context]
        case .userInfo: [.userInfo]
        case .complicationUserInfo: [.complication]
        case .file: [.file]
        }
    }

    /// Returns a number of them in words.
    func counted(_ number: Int) -> String {
        number == 1 ? rawValue : self == .reply ? "replies" : "\(rawValue)s"
    }
}
