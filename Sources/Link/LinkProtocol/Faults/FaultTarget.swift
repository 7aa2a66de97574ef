/// Which packages a fault is about, by what they mean.
public enum FaultTarget: String, CaseIterable, Sendable {
    /// Interactive messages.
    case message
    /// What answers one.
    case reply
    case context
    /// Plain user infos and those for the complication.
    case userInfo = "user-info"
    /// All of a file: its announcement, pieces, progress.
    case file
    /// What tells a sender that its transfer arrived.
    case acknowledgement
    /// What a device says of itself.
    case state
    case any

    /// What a package is; nil for what no fault is about, as connections would not hold.
    init?(_ package: MessagePackage) {
        switch package.command {
        case .sendMessage, .sendMessageData: self = package.answers == nil ? .message : .reply
        case .updateApplicationContext: self = package.answers == nil ? .context : .acknowledgement
        case .transferUserInfo, .transferCurrentComplicationUserInfo:
            self = package.answers == nil ? .userInfo : .acknowledgement
        case .transferFile: self = package.answers == nil ? .file : .acknowledgement
        case .fileChunk, .fileProgress, .cancel: self = .file
        case .state: self = .state
        case .hello, .heartbeat, .goodbye, .unrecognized: return nil
        }
    }
}
