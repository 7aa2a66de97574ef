public import Foundation

extension QuizData {
    /// Highest grade point: an “A”.
    static let maximumPoints = 4.0
    /// How far the stated average may lie from the answers' mean: people round to two digits.
    static let averageTolerance = 0.005_000_1
    /// The end of the times that a quiz may have been taken at. The year 10000: RFC 3339 has four digits for the year.
    static let endOfTimes = Date(timeIntervalSince1970: 253_402_300_800)
    /// How far ahead of a clock a quiz may lie before that is worth a word. A day: clocks of watches differ, and so do time zones.
    static let clockTolerance: TimeInterval = 24 * 60 * 60
    /// Longest title, question or choice, in UTF-8 bytes. 4 KiB: a page of text; a whole quiz must fit into 64 KiB anyway.
    static let textBytes = 4096

    /// Refuses content that cannot be right, wherever it enters: on the watch before it is accepted, on the phone before it
    /// is stored.
    ///
    /// A refusal is final, so it follows from the content alone. No clock is asked: it may be wrong, and another one right.
    ///
    /// - Throws: ``QuizError/invalid(field:reason:)`` that names the field.
    public func validate() throws(QuizError) {
        try Self.require(title, "title")
        guard takenAt.timeIntervalSince1970.isFinite, takenAt.timeIntervalSince1970 >= 0 else {
            throw .invalid(field: "takenAt", reason: "lies before 1970")
        }
        guard takenAt < Self.endOfTimes else {
            throw .invalid(field: "takenAt", reason: "lies behind the year 9999")
        }
        guard !answers.isEmpty else { throw .invalid(field: "answers", reason: "there is none") }
        for (position, answer) in answers.enumerated() {
            try Self.require(answer.question, "answers[\(position)].question")
            try Self.require(answer.choice, "answers[\(position)].choice")
            guard (0...Self.maximumPoints).contains(answer.points) else {
                throw .invalid(field: "answers[\(position)].points", reason: "is not within 0…4")
            }
        }
        let average = Self.average(of: answers)
        guard abs(gradePointAverage - average) <= Self.averageTolerance else {
            throw .invalid(field: "gradePointAverage", reason: "is not the mean of the answers' points")
        }
    }

    /// Whether a quiz was taken later than a clock says it is: one of the two clocks is wrong, and nobody can tell which.
    public static func isAhead(_ takenAt: Date, of now: Date) -> Bool { takenAt > now + clockTolerance }

    /// - Parameter field: Only made if it is to be named.
    private static func require(_ text: String, _ field: @autoclosure () -> String) throws(QuizError) {
        // Most texts begin with a letter of ASCII, for which the tables of Unicode need not be asked.
        let isPlain = text.utf8.first.map { (0x21...0x7E).contains($0) } ?? false
        guard isPlain || text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            throw .invalid(field: field(), reason: "is empty")
        }
        guard text.utf8.count <= textBytes else {
            throw .invalid(field: field(), reason: "has \(text.utf8.count) bytes; the limit is \(textBytes)")
        }
    }
}
