/// What a message or transfer is, as ledgers, logs and stores name it.
public enum TransferKind: String, CaseIterable, Sendable {
    case message
    case data
    case context
    case userInfo = "user info"
    case complication
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

    /// Whether it is durable, and given to the counterpart whenever that is there.
    package var isBackground: Bool { self != .message && self != .data }
}
