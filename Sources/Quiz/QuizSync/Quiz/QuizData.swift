public import Foundation
public import KeyedArchive
import LinkTransport

/// A completed daily nutrition quiz: the object that the watch sends to the phone.
///
/// Archived as `QuizData` regardless of the class's module, so that different programs can exchange archives.
public final class QuizData: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    /// The identifier, the same in every retry: the host stores a quiz once.
    public let identifier: UUID
    /// The title.
    public let title: String
    /// The time at which the quiz was taken.
    public let takenAt: Date
    /// The answers, in the order of the questions.
    public let answers: [QuizAnswer]
    /// The mean of the answers' points.
    public let gradePointAverage: Double

    /// Creates a quiz, unchecked.
    ///
    /// - Parameters:
    ///   - identifier: By default a new identifier that begins with the time, so that the host's index of a million
    ///     quizzes grows at its end and not in the middle.
    ///   - title: The title.
    ///   - takenAt: The time at which the quiz was taken.
    ///   - answers: The answers, in the order of the questions.
    ///   - gradePointAverage: By default the mean of the answers' points.
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

    /// Returns the quiz as a keyed archive: equal quizzes have equal bytes.
    public func archivedData() throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true)
    }

    // MARK: - NSSecureCoding

    /// The class name in archives.
    public static let archiveName = "QuizData"
    /// True: every value is decoded with its expected class.
    public static let supportsSecureCoding = true

    public func encode(with coder: NSCoder) {
        coder.encode(identifier, forKey: "identifier")
        coder.encode(title, forKey: "title")
        coder.encode(takenAt, forKey: "takenAt")
        coder.encode(answers, forKey: "answers")
        coder.encode(gradePointAverage, forKey: "gradePointAverage")
    }

    /// Decodes a quiz, and checks only the form; ``validate()`` checks the content.
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

    /// Returns true if all properties are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? QuizData else { return false }
        return identifier == other.identifier && title == other.title && takenAt == other.takenAt
            && answers == other.answers && gradePointAverage == other.gradePointAverage
    }

    public override var hash: Int { identifier.hashValue }
}
