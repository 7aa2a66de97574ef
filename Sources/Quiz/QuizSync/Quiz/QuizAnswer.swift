public import Foundation
public import KeyedArchive

/// A question of a quiz with the chosen answer.
public final class QuizAnswer: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    /// The text of the question.
    public let question: String
    /// The text of the chosen answer.
    public let choice: String
    /// The grade points, 0 to 4.
    public let points: Double

    /// Creates an answer, unchecked.
    public init(question: String, choice: String, points: Double) {
        self.question = question
        self.choice = choice
        self.points = points
        super.init()
    }

    /// The class name in archives.
    public static let archiveName = "QuizAnswer"
    /// True: every value is decoded with its expected class.
    public static let supportsSecureCoding = true

    public func encode(with coder: NSCoder) {
        coder.encode(question, forKey: "question")
        coder.encode(choice, forKey: "choice")
        coder.encode(points, forKey: "points")
    }

    public init?(coder: NSCoder) {
        guard let question = coder.decodeString(forKey: "question"), let choice = coder.decodeString(forKey: "choice"),
            coder.containsValue(forKey: "points")
        else { return nil }
        self.question = question
        self.choice = choice
        points = coder.decodeDouble(forKey: "points")
        super.init()
    }

    /// Returns true if question, choice and points are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? QuizAnswer else { return false }
        return question == other.question && choice == other.choice && points == other.points
    }

    public override var hash: Int { question.hashValue ^ choice.hashValue }
}
