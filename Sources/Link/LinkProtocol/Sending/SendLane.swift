/// An ordered stream of packages to a peer. There is no order between lanes, as Apple guarantees none between kinds.
package enum SendLane: Int, CaseIterable, Sendable {
    /// Messages, and the state updates on which they depend.
    case messages
    case answers
    case complication
    case userInfos
    case contexts
    /// Announcements and chunks of files.
    case files
    /// Answers to transfers.
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

    /// The lanes of each urgency, in round-robin order.
    static let byUrgency: [[SendLane]] = SendUrgency.allCases.map { urgency in
        allCases.filter { $0.urgency == urgency }
    }
}
