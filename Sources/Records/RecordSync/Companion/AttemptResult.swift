import Foundation
package import LinkProtocol
package import RecordStorage
package import WatchConnectivity

/// The end of a delivery attempt, as its sender saw it.
package enum AttemptResult: Equatable, Sendable {
    /// The host answered.
    case acknowledged(RecordVerdict, message: String? = nil)
    /// The host's reply is empty.
    case emptyReply
    /// The host's reply is about another payload, or about different content of this one.
    case mistakenReply(about: UUID?)
    case unreadableReply(error: String)
    /// The message failed.
    case failed(WCError.Code, reason: String)
    /// The payload is no longer in the outbox.
    case gone
    /// The outbox could not be read.
    case unread(error: String)
    /// The payload has no room for a predecessor: the payload was accepted by a version that did not reserve any.
    case lacksRoom
    /// The file of a payload before it could not be delivered.
    case waitsForFile
    /// The payload's file is not in the outbox as it was accepted.
    case fileLost

    /// Creates the ending of a message.
    ///
    /// - Parameters:
    ///   - package: The message in its final status.
    ///   - archive: The archive of the payload that was sent.
    ///   - form: The form of the application's acknowledgements.
    package init(of package: MessagePackage, with archive: Data, as form: AcknowledgementForm) {
        guard package.status == .replied else {
            let code = package.errorCode.flatMap(WCError.Code.init(rawValue:)) ?? .genericError
            self = .failed(code, reason: package.errorMessage ?? "it failed without a reason")
            return
        }
        do {
            guard let acknowledgement = try form.read(package.dataPackage ?? Data()) else {
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

    /// Returns the outcome: ``Disposition`` decides, and an ending without information about the payload is retried.
    package func outcome(_ kind: RecordKind) -> OutboxStateMachine.Outcome {
        switch self {
        case .acknowledged(let verdict, let message): Self.outcome(Disposition(verdict), message ?? verdict.rawValue)
        case .failed(let code, let reason): Self.outcome(Disposition(code), reason)
        case .gone: .refused(reason: "it is no longer in the outbox")
        case .emptyReply: .unavailable(reason: "the host's reply is empty")
        case .mistakenReply:
            .unavailable(reason: "the host's reply is about another \(kind.name) or different content")
        case .unreadableReply: .unavailable(reason: "the host's reply is unreadable")
        case .unread(let error): .unavailable(reason: error)
        case .waitsForFile: .unavailable(reason: "it waits for the file of an earlier \(kind.name)")
        case .fileLost:
            .refused(
                reason: "its file is missing from the outbox or damaged; submit it again with the file, then retry it")
        case .lacksRoom: .unavailable(reason: "it waits for earlier \(kind.plural)")
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
