import Foundation
package import LinkProtocol
package import WatchConnectivity

/// How a try to deliver a quiz ended, as its sender saw it.
package enum TryEnding: Equatable, Sendable {
    /// The host answered.
    case acknowledged(QuizVerdict, message: String? = nil)
    /// The host's reply holds nothing.
    case emptyReply
    /// The host's reply is about another quiz, or another content of this one.
    case mistakenReply(about: UUID?)
    case unreadableReply(error: String)
    /// The message did not get through.
    case failed(WCError.Code, reason: String)
    /// The outbox does not have it any more.
    case gone
    /// The outbox could not be read.
    case unread(error: String)
    /// It has no room for a predecessor's name: a version that left none accepted it.
    case lacksRoom

    /// What came of a message.
    ///
    /// - Parameters:
    ///   - package: In its last status.
    ///   - archive: The quiz in it.
    package init(of package: MessagePackage, with archive: Data) {
        guard package.status == .replied else {
            let code = package.errorCode.flatMap(WCError.Code.init(rawValue:)) ?? .genericError
            self = .failed(code, reason: package.errorMessage ?? "it failed without a reason")
            return
        }
        do {
            guard let acknowledgement = try QuizAcknowledgement.read(package.dataPackage ?? Data()) else {
                self = .emptyReply
                return
            }
            self =
                acknowledgement.answers(package.identifier, archive: archive)
                ? .acknowledged(acknowledgement.verdict, message: acknowledgement.message)
                : .mistakenReply(about: acknowledgement.identifier)
        } catch {
            self = .unreadableReply(error: "\(error)")
        }
    }

    /// What follows from it: the one rule is ``Disposition``, and what says nothing of the quiz is tried again.
    package var outcome: OutboxStateMachine.Outcome {
        switch self {
        case .acknowledged(let verdict, let message): Self.outcome(Disposition(verdict), message ?? verdict.rawValue)
        case .failed(let code, let reason): Self.outcome(Disposition(code), reason)
        case .gone: .refused(reason: "it is gone from the outbox")
        case .emptyReply: .unavailable(reason: "the host's reply is empty")
        case .mistakenReply:
            .unavailable(reason: "the host's reply is about another quiz or another content")
        case .unreadableReply: .unavailable(reason: "the host's reply is unreadable")
        case .unread(let error): .unavailable(reason: error)
        case .lacksRoom: .unavailable(reason: "it waits for those before it")
        }
    }

    private static func outcome(_ disposition: Disposition, _ reason: String) -> OutboxStateMachine.Outcome {
        switch disposition {
        case .delivered: .replied
        case .failed: .refused(reason: reason)
        case .retry: .unavailable(reason: reason)
        }
    }
}
