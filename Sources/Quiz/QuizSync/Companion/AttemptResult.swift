import Foundation
package import LinkProtocol
package import WatchConnectivity

/// The end of a delivery attempt, as its sender saw it.
package enum AttemptResult: Equatable, Sendable {
    /// The host answered.
    case acknowledged(QuizVerdict, message: String? = nil)
    /// The host's reply is empty.
    case emptyReply
    /// The host's reply is about another quiz, or about different content of this one.
    case mistakenReply(about: UUID?)
    case unreadableReply(error: String)
    /// The message failed.
    case failed(WCError.Code, reason: String)
    /// The quiz is no longer in the outbox.
    case gone
    /// The outbox could not be read.
    case unread(error: String)
    /// The payload has no room for a predecessor: the quiz was accepted by a version that did not reserve any.
    case lacksRoom

    /// Creates the ending of a message.
    ///
    /// - Parameters:
    ///   - package: The message in its final status.
    ///   - archive: The archive of the quiz that was sent.
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

    /// The outcome: ``Disposition`` decides, and an ending without information about the quiz is retried.
    package var outcome: OutboxStateMachine.Outcome {
        switch self {
        case .acknowledged(let verdict, let message): Self.outcome(Disposition(verdict), message ?? verdict.rawValue)
        case .failed(let code, let reason): Self.outcome(Disposition(code), reason)
        case .gone: .refused(reason: "it is no longer in the outbox")
        case .emptyReply: .unavailable(reason: "the host's reply is empty")
        case .mistakenReply:
            .unavailable(reason: "the host's reply is about another quiz or different content")
        case .unreadableReply: .unavailable(reason: "the host's reply is unreadable")
        case .unread(let error): .unavailable(reason: error)
        case .lacksRoom: .unavailable(reason: "it waits for earlier quizzes")
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
