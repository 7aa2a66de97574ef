/// What keeps its order on the way to a peer. Between lanes there is none, as Apple promises none between kinds.
package enum SendLane: Int, CaseIterable, Sendable {
    /// Messages, and what a device says of itself, which messages depend on.
    case messages
    case answers
    case complication
    case userInfos
    case contexts
    /// Announcements and pieces of files.
    case files
    /// What tells a sender how its transfers are.
    case receipts

    package init(_ package: MessagePackage) {
        switch package.command {
        case .sendMessage, .sendMessageData: self = package.answers == nil ? .messages : .answers
        case .hello, .state, .heartbeat, .goodbye: self = .messages
        case .unrecognized: self = .answers
        case .transferCurrentComplicationUserInfo: self = package.answers == nil ? .complication : .receipts
        case .transferUserInfo: self = package.answers == nil ? .userInfos : .receipts
        case .updateApplicationContext: self = package.answers == nil ? .contexts : .receipts
        case .transferFile: self = package.answers == nil ? .files : .receipts
        case .fileChunk, .cancel: self = .files
        case .fileProgress: self = .receipts
        }
    }

    package var urgency: SendUrgency {
        switch self {
        case .messages, .answers: .interactive
        case .complication: .complication
        case .userInfos, .contexts, .files, .receipts: .background
        }
    }

    /// Those of an urgency, in the order of their turns.
    static let byUrgency: [[SendLane]] = SendUrgency.allCases.map { urgency in
        allCases.filter { $0.urgency == urgency }
    }
}
