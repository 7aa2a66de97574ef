import Foundation
package import LinkProtocol

/// What becomes of a quiz that arrived, in one round.
package enum QuizSettlement: Equatable, Sendable {
    case stored(sequence: Int64)
    /// It was stored before.
    case repeated
    /// Another quiz of its identifier was stored before.
    case conflict
    case refused(QuizError)
    /// Its device begins anew with the quiz that is missing before it.
    case putOff
    /// The database could not take the round.
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

    /// Why it was not taken.
    package var message: String? {
        switch self {
        case .stored, .repeated: nil
        case .conflict: "a quiz of this identifier with other content is stored already"
        case .refused(let error): "\(error)"
        case .putOff: "one that was sent before it is not stored yet"
        case .unavailable: "the host's database is not available"
        }
    }

    package var status: DeliveryStatus { Disposition(verdict) == .delivered ? .replied : .failed }

    /// The answer to its sender.
    ///
    /// - Parameter digest: Of the archive, if one came.
    package func acknowledgement(of quiz: UUID, digest: Data?) -> QuizAcknowledgement {
        // Bytes that are no quiz tell of no identifier.
        QuizAcknowledgement(verdict == .undecodable ? nil : quiz, verdict, digest: digest, message: message)
    }
}
