public import Foundation
public import KeyedArchive
import LinkProtocol

/// The host's answer to a quiz.
public final class QuizAcknowledgement: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    /// The quiz; nil if its bytes did not tell.
    public let identifier: UUID?
    public let verdict: QuizVerdict
    /// The SHA-256 of the quiz's archive as it came. Nil if no archive came, and from hosts that do not tell it yet.
    public let digest: Data?
    /// Why it was not taken.
    public let message: String?

    public init(_ identifier: UUID?, _ verdict: QuizVerdict, digest: Data? = nil, message: String? = nil) {
        self.identifier = identifier
        self.verdict = verdict
        self.digest = digest
        self.message = message
        super.init()
    }

    /// Whether this is the answer to a quiz: to its identifier, and to its content if the host tells which one it answers.
    ///
    /// Bytes that are no quiz have no identifier that a host could name: such an answer may lack it, but not name another.
    package func answers(_ quiz: UUID, archive: Data) -> Bool {
        guard identifier == quiz || (identifier == nil && verdict == .undecodable) else { return false }
        return digest.map { $0 == ContentDigest.of(archive) } ?? true
    }

    /// Its keyed archive.
    package func archivedData() throws -> Data {
        guard message == nil, let identifier, let digest, digest.count == ContentDigest.bytes,
            let template = Self.templates[verdict]
        else { return try KeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true) }
        return template.archive([identifier.data, digest])
    }

    /// What an archive holds.
    ///
    /// - Throws: What the unarchiver does.
    package static func read(_ archive: Data) throws -> QuizAcknowledgement? {
        for (verdict, template) in templates {
            guard let values = template.values(in: archive) else { continue }
            return QuizAcknowledgement(UUID(bytes: values[0]), verdict, digest: values[1])
        }
        return try KeyedUnarchiver.unarchivedObject(ofClass: QuizAcknowledgement.self, from: archive)
    }

    /// Of those that say that all is well, which nearly all do. Without them it is slower, and nothing else.
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

    public static let archiveName = "QuizAcknowledgement"
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
