public import Foundation
public import KeyedArchive
import LinkTransport

/// A daily nutrition quiz that was taken: what is sent from the watch to the phone.
///
/// Archived as `QuizData`, whatever module the class stands in, so that what one program writes the other reads.
public final class QuizData: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    /// The same over every retry: the host stores a quiz once.
    public let identifier: UUID
    public let title: String
    public let takenAt: Date
    public let answers: [QuizAnswer]
    /// The mean of the answers' points.
    public let gradePointAverage: Double

    /// - Parameters:
    ///   - identifier: Left out, a new one that begins with the time: the host's index of a million quizzes grows at its end
    ///     then, and not in the middle.
    ///   - gradePointAverage: Left out, it follows from the answers.
    public init(
        identifier: UUID? = nil, title: String, takenAt: Date, answers: [QuizAnswer], gradePointAverage: Double? = nil
    ) {
        self.identifier = identifier ?? .ordered()
        self.title = title
        self.takenAt = takenAt
        self.answers = answers
        self.gradePointAverage = gradePointAverage ?? Self.average(of: answers)
        super.init()
    }

    static func average(of answers: [QuizAnswer]) -> Double {
        answers.isEmpty ? 0 : answers.reduce(0) { $0 + $1.points } / Double(answers.count)
    }

    /// The quiz as a keyed archive: equal quizzes have equal bytes.
    public func archivedData() throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true)
    }

    // MARK: - NSSecureCoding

    public static let archiveName = "QuizData"
    public static let supportsSecureCoding = true

    public func encode(with coder: NSCoder) {
        coder.encode(identifier, forKey: "identifier")
        coder.encode(title, forKey: "title")
        coder.encode(takenAt, forKey: "takenAt")
        coder.encode(answers, forKey: "answers")
        coder.encode(gradePointAverage, forKey: "gradePointAverage")
    }

    /// Checks the form only; whether the content can be right is for ``validate()`` to say.
    public init?(coder: NSCoder) {
        guard let identifier = coder.decodeUUID(forKey: "identifier"), let title = coder.decodeString(forKey: "title"),
            let takenAt = coder.decodeDate(forKey: "takenAt"),
            let answers = coder.decodeArrayOfObjects(ofClass: QuizAnswer.self, forKey: "answers"),
            coder.containsValue(forKey: "gradePointAverage")
        else { return nil }
        self.identifier = identifier
        self.title = title
        self.takenAt = takenAt
        self.answers = answers
        gradePointAverage = coder.decodeDouble(forKey: "gradePointAverage")
        super.init()
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? QuizData else { return false }
        return identifier == other.identifier && title == other.title && takenAt == other.takenAt
            && answers == other.answers && gradePointAverage == other.gradePointAverage
    }

    public override var hash: Int { identifier.hashValue }
}
