public import Foundation
public import KeyedArchive
import LinkProtocol

/// The host's acknowledgement of a quiz.
public final class QuizAcknowledgement: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    /// The identifier of the quiz; nil if its bytes could not be decoded.
    public let identifier: UUID?
    /// The host's verdict.
    public let verdict: QuizVerdict
    /// The SHA-256 of the quiz's archive as received. Nil if none was received, and from hosts that do not send it yet.
    public let digest: Data?
    /// The reason for a rejection.
    public let message: String?

    /// Creates an acknowledgement.
    public init(_ identifier: UUID?, _ verdict: QuizVerdict, digest: Data? = nil, message: String? = nil) {
        self.identifier = identifier
        self.verdict = verdict
        self.digest = digest
        self.message = message
        super.init()
    }

    /// Returns true if this acknowledges a quiz: its identifier, and its content if the host sent a digest.
    ///
    /// The host cannot know the identifier of an undecodable quiz: such an answer may lack it, but not name another
    /// one.
    package func answers(_ quiz: UUID, archive: Data) -> Bool {
        guard identifier == quiz || (identifier == nil && verdict == .undecodable) else { return false }
        return digest.map { $0 == ContentDigest.of(archive) } ?? true
    }

    /// Returns the keyed archive of the acknowledgement.
    package func archivedData() throws -> Data {
        guard message == nil, let identifier, let digest, digest.count == ContentDigest.bytes,
            let template = Self.templates[verdict]
        else { return try KeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true) }
        return template.archive([identifier.data, digest])
    }

    /// Returns the acknowledgement in an archive; nil if it contains none. Rethrows the unarchiver's error.
    package static func read(_ archive: Data) throws -> QuizAcknowledgement? {
        for (verdict, template) in templates {
            guard let values = template.values(in: archive) else { continue }
            return QuizAcknowledgement(UUID(bytes: values[0]), verdict, digest: values[1])
        }
        return try KeyedUnarchiver.unarchivedObject(ofClass: QuizAcknowledgement.self, from: archive)
    }

    /// Templates for the positive verdicts, which are nearly all. They only save time.
    private static let templates: [QuizVerdict: ArchiveTemplate] = {
        let lengths = [MemoryLayout<uuid_t>.size, ContentDigest.bytes]
        var templates: [QuizVerdict: ArchiveTemplate] = [:]
        for verdict in [QuizVerdict.stored, .repeated] {
            templates[verdict] = try? ArchiveTemplate(lengths: lengths) { values in
                let acknowledgement = QuizAcknowledgement(UUID(bytes: values[0]), verdict, digest: values[1])
                return try KeyedArchiver.archivedData(withRootObject: acknowledgement, requiringSecureCoding: true)
            }
        }
        return templates
    }()

    /// The class name in archives.
    public static let archiveName = "QuizAcknowledgement"
    /// True: every value is decoded with its expected class.
    public static let supportsSecureCoding = true

    public func encode(with coder: NSCoder) {
        coder.encode(verdict.rawValue, forKey: "verdict")
        if let identifier { coder.encode(identifier, forKey: "identifier") }
        if let digest { coder.encode(digest, forKey: "digest") }
        if let message { coder.encode(PeerText.of(message), forKey: "message") }
    }

    public init?(coder: NSCoder) {
        guard let verdict = coder.decodeString(forKey: "verdict").flatMap(QuizVerdict.init(rawValue:)) else {
            return nil
        }
        self.verdict = verdict
        identifier = coder.decodeUUID(forKey: "identifier")
        digest = coder.decodeData(forKey: "digest")
        message = coder.decodeString(forKey: "message")
        super.init()
    }
}
