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
