import Foundation
package import LinkProtocol
package import RecordStorage

/// The result for a payload that arrived in a round.
package enum RecordSettlement: Equatable, Sendable {
    case stored(sequence: Int64)
    /// The payload was stored before.
    case repeated
    /// Another payload with its identifier was stored before.
    case conflict
    case refused(PayloadError)
    /// A payload before it is missing: its device starts over with that one.
    case putOff
    /// Its file is not here: its device sends that again.
    case fileMissing
    /// The database could not store the round.
    case unavailable

    package var verdict: RecordVerdict {
        switch self {
        case .stored: .stored
        case .repeated: .repeated
        case .conflict: .conflict
        case .refused(.invalid): .invalid
        case .refused(.undecodable): .undecodable
        case .fileMissing: .fileMissing
        case .putOff, .unavailable: .unavailable
        }
    }

    /// Returns the reason for a rejection.
    package func message(_ kind: RecordKind) -> String? {
        switch self {
        case .stored, .repeated: nil
        case .conflict: "\(kind.withArticle) with this identifier but different content is already stored"
        case .refused(let error): kind.text(error)
        case .putOff: "\(kind.withArticle) that was sent before it is not stored yet"
        case .fileMissing: "its file is not here"
        case .unavailable: "the host's database is not available"
        }
    }

    package var status: DeliveryStatus { Disposition(verdict) == .delivered ? .replied : .failed }

    /// Returns the answer to the sender.
    ///
    /// - Parameter digest: The digest of the archive; nil if none arrived.
    func acknowledgement(
        of payload: UUID, digest: Data?, _ application: RecordApplication
    ) -> RecordAcknowledgement {
        // Undecodable bytes have no identifier.
        RecordAcknowledgement(
            verdict == .undecodable ? nil : payload, verdict, digest: digest, message: message(application.kind),
            as: application.acknowledgements)
    }
}
