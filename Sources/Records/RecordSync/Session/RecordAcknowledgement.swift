import Files
public import Foundation
public import KeyedArchive
import LinkProtocol
import RecordStorage

/// The host's acknowledgement of a payload.
public final class RecordAcknowledgement: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    /// The identifier of the payload; nil if its bytes could not be decoded.
    public let identifier: UUID?
    /// The host's verdict.
    public let verdict: RecordVerdict
    /// The SHA-256 of the payload's archive as received. Nil if none was received, and from hosts that do not send it yet.
    public let digest: Data?
    /// The reason for a rejection.
    public let message: String?
    /// The form of its archive; nil for the standard one.
    private let form: AcknowledgementForm?

    /// Creates an acknowledgement.
    public convenience init(
        _ identifier: UUID?, _ verdict: RecordVerdict, digest: Data? = nil, message: String? = nil
    ) {
        self.init(identifier, verdict, digest: digest, message: message, as: nil)
    }

    package init(
        _ identifier: UUID?, _ verdict: RecordVerdict, digest: Data? = nil, message: String? = nil,
        as form: AcknowledgementForm?
    ) {
        self.form = form
        self.identifier = identifier
        self.verdict = verdict
        self.digest = digest
        self.message = message
        super.init()
    }

    /// Returns true if this acknowledges a payload: its identifier, and its content if the host sent a digest.
    ///
    /// The host may not know the identifier of a payload that is undecodable, or for which it has no application: such
    /// an answer may lack it, but not name another one.
    package func answers(_ payload: UUID, archive: Data) -> Bool {
        guard identifier == payload || (identifier == nil && Self.anonymous.contains(verdict)) else { return false }
        return digest.map { $0 == ContentDigest.of(archive) } ?? true
    }

    private static let anonymous: Set<RecordVerdict> = [.undecodable, .unavailable]

    /// Returns the keyed archive of the acknowledgement.
    package func archivedData() throws -> Data { try (form ?? .standard).archivedData(of: self) }

    /// The class name in archives.
    public static let archiveName = "RecordAcknowledgement"
    /// True: every value is decoded with its expected class.
    public static let supportsSecureCoding = true

    public func encode(with coder: NSCoder) {
        coder.encode(verdict.rawValue, forKey: "verdict")
        if let identifier { coder.encode(identifier, forKey: "identifier") }
        if let digest { coder.encode(digest, forKey: "digest") }
        if let message { coder.encode(PeerText.of(message), forKey: "message") }
    }

    public init?(coder: NSCoder) {
        guard let verdict = coder.decodeString(forKey: "verdict").flatMap(RecordVerdict.init(rawValue:)) else {
            return nil
        }
        self.verdict = verdict
        identifier = coder.decodeUUID(forKey: "identifier")
        digest = coder.decodeData(forKey: "digest")
        message = coder.decodeString(forKey: "message")
        form = nil
        super.init()
    }
}
