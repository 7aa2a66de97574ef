public import Foundation

extension QuizData {
    /// The highest grade point: an “A”.
    static let maximumPoints = 4.0
    /// The allowed difference between the stated average and the mean of the answers: people round to two digits.
    static let averageTolerance = 0.005_000_1
    /// The upper bound of `takenAt`. The year 10000: RFC 3339 has four digits for the year.
    static let endOfTimes = Date(timeIntervalSince1970: 253_402_300_800)
    /// The lead of `takenAt` over the clock that is not logged. A day: clocks of watches differ, and so do time zones.
    static let clockTolerance: TimeInterval = 24 * 60 * 60
    /// The longest title, question or choice, in UTF-8 bytes. 4 KiB: a page of text; a whole quiz must fit into 64 KiB.
    static let textBytes = 4096

    /// Rejects invalid content at both entries: on the watch before it is accepted, on the phone before it is stored.
    ///
    /// A rejection is final, so it depends only on the content. No clock is consulted: it may be wrong.
    ///
    /// - Throws: ``QuizError/invalid(field:reason:)`` with the first invalid field.
    public func validate() throws(QuizError) {
        try Self.require(title, "title")
        guard takenAt.timeIntervalSince1970.isFinite, takenAt.timeIntervalSince1970 >= 0 else {
            throw .invalid(field: "takenAt", reason: "is before 1970")
        }
        guard takenAt < Self.endOfTimes else {
            throw .invalid(field: "takenAt", reason: "is after the year 9999")
        }
        guard !answers.isEmpty else { throw .invalid(field: "answers", reason: "is empty") }
        for (position, answer) in answers.enumerated() {
            try Self.require(answer.question, "answers[\(position)].question")
            try Self.require(answer.choice, "answers[\(position)].choice")
            guard (0...Self.maximumPoints).contains(answer.points) else {
                throw .invalid(field: "answers[\(position)].points", reason: "is not between 0 and 4")
            }
        }
        let average = Self.average(of: answers)
        guard abs(gradePointAverage - average) <= Self.averageTolerance else {
            throw .invalid(field: "gradePointAverage", reason: "is not the mean of the answers' points")
        }
    }

    /// Returns true if a quiz was taken more than a day after a clock's current time: one of the two clocks is wrong,
    /// and it is unknown which.
    public static func isAhead(_ takenAt: Date, of now: Date) -> Bool { takenAt > now + clockTolerance }

    /// - Parameter field: The name of the field; evaluated only for an error.
    private static func require(_ text: String, _ field: @autoclosure () -> String) throws(QuizError) {
        // Most texts begin with an ASCII letter, which needs no look-up in the Unicode tables.
        let isPlain = text.utf8.first.map { (0x21...0x7E).contains($0) } ?? false
        guard isPlain || text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            throw .invalid(field: field(), reason: "is empty")
        }
        guard text.utf8.count <= textBytes else {
            throw .invalid(field: field(), reason: "has \(text.utf8.count) bytes; the limit is \(textBytes)")
        }
    }
}
