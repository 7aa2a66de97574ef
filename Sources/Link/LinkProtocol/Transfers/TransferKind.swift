/// The kind of a message or transfer, as named in ledgers, logs and stores.
public enum TransferKind: String, CaseIterable, Sendable {
    /// A message with a dictionary.
    case message
    /// A message with data.
    case data
    /// An application context.
    case context
    /// A user info.
    case userInfo = "user info"
    /// A user info for the complication.
    case complication
    /// A file.
    case file

    package init?(_ command: Command) {
        switch command {
        case .sendMessage: self = .message
        case .sendMessageData: self = .data
        case .updateApplicationContext: self = .context
        case .transferUserInfo: self = .userInfo
        case .transferCurrentComplicationUserInfo: self = .complication
        case .transferFile: self = .file
        case .hello, .state, .heartbeat, .goodbye, .fileChunk, .fileProgress, .cancel, .unrecognized: return nil
        }
    }

    package var command: Command {
        switch self {
        case .message: .sendMessage
        case .data: .sendMessageData
        case .context: .updateApplicationContext
        case .userInfo: .transferUserInfo
        case .complication: .transferCurrentComplicationUserInfo
        case .file: .transferFile
        }
    }

    /// True if the content is durable and delivered whenever the counterpart becomes available.
    package var isBackground: Bool { self != .message && self != .data }
}
