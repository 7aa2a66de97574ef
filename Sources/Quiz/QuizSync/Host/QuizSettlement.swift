import Foundation
package import LinkProtocol

/// The result for a quiz that arrived in a round.
package enum QuizSettlement: Equatable, Sendable {
    case stored(sequence: Int64)
    /// The quiz was stored before.
    case repeated
    /// Another quiz with its identifier was stored before.
    case conflict
    case refused(QuizError)
    /// A quiz before it is missing: its device starts over with that one.
    case putOff
    /// The database could not store the round.
    case unavailable

    package var verdict: QuizVerdict {
        switch self {
        case .stored: .stored
        case .repeated: .repeated
        case .conflict: .conflict
        case .refused(.invalid): .invalid
        case .refused(.undecodable): .undecodable
        case .putOff, .unavailable: .unavailable
        }
    }

    /// The reason for a rejection.
    package var message: String? {
        switch self {
        case .stored, .repeated: nil
        case .conflict: "a quiz with this identifier but different content is already stored"
        case .refused(let error): "\(error)"
        case .putOff: "a quiz that was sent before it is not stored yet"
        case .unavailable: "the host's database is not available"
        }
    }

    package var status: DeliveryStatus { Disposition(verdict) == .delivered ? .replied : .failed }

    /// Returns the answer to the sender.
    ///
    /// - Parameter digest: The digest of the archive; nil if none arrived.
    package func acknowledgement(of quiz: UUID, digest: Data?) -> QuizAcknowledgement {
        // Undecodable bytes have no identifier.
        QuizAcknowledgement(verdict == .undecodable ? nil : quiz, verdict, digest: digest, message: message)
    }
}
