public import Foundation
public import KeyedArchive

/// The host's answer to a quiz.
public final class QuizAcknowledgement: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    /// The quiz; nil if its bytes did not tell.
    public let identifier: UUID?
    public let verdict: QuizVerdict
    /// Why it was not taken.
    public let message: String?

    public init(_ identifier: UUID?, _ verdict: QuizVerdict, message: String? = nil) {
        self.identifier = identifier
        self.verdict = verdict
        self.message = message
        super.init()
    }

    /// Its keyed archive.
    package func archivedData() throws -> Data {
        guard message == nil, let identifier, let template = Self.templates[verdict] else {
            return try KeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true)
        }
        return template.archive(withUnsafeBytes(of: identifier.uuid) { Data($0) })
    }

    /// What an archive holds.
    ///
    /// - Throws: What the unarchiver does.
    package static func read(_ archive: Data) throws -> QuizAcknowledgement? {
        for (verdict, template) in templates {
            guard let bytes = template.value(in: archive) else { continue }
            let identifier = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            return QuizAcknowledgement(identifier, verdict)
        }
        return try KeyedUnarchiver.unarchivedObject(ofClass: QuizAcknowledgement.self, from: archive)
    }

    /// Of those that say that all is well, which nearly all do. Without them it is slower, and nothing else.
    private static let templates: [QuizVerdict: ArchiveTemplate] = {
        var templates: [QuizVerdict: ArchiveTemplate] = [:]
        for verdict in [QuizVerdict.stored, .repeated] {
            templates[verdict] = try? ArchiveTemplate(valueBytes: MemoryLayout<uuid_t>.size) { value in
                let identifier = value.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
                return try KeyedArchiver.archivedData(
                    withRootObject: QuizAcknowledgement(identifier, verdict), requiringSecureCoding: true)
            }
        }
        return templates
    }()

    public static let archiveName = "QuizAcknowledgement"
    public static let supportsSecureCoding = true

    public func encode(with coder: NSCoder) {
        coder.encode(verdict.rawValue, forKey: "verdict")
        if let identifier { coder.encode(identifier, forKey: "identifier") }
        if let message { coder.encode(message, forKey: "message") }
    }

    public init?(coder: NSCoder) {
        guard let verdict = coder.decodeString(forKey: "verdict").flatMap(QuizVerdict.init(rawValue:)) else {
            return nil
        }
        self.verdict = verdict
        identifier = coder.decodeUUID(forKey: "identifier")
        message = coder.decodeString(forKey: "message")
        super.init()
    }
}
