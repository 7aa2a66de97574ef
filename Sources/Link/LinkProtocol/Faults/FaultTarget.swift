/// A kind of package to which faults can apply.
public enum FaultTarget: String, CaseIterable, Sendable {
    /// Interactive messages.
    case message
    /// Replies to messages.
    case reply
    /// Application contexts.
    case context
    /// Plain and complication user infos.
    case userInfo = "user-info"
    /// All packages of a file transfer: announcement, chunks, progress.
    case file
    /// Acknowledgements of transfers.
    case acknowledgement
    /// State updates of a device.
    case state
    /// All of the kinds above.
    case any

    /// Classifies a package; nil for kinds without which no connection could exist.
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
