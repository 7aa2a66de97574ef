public import Foundation
public import RecordStorage

extension Record {
    /// Creates the record of a validated quiz, with its archive as received.
    public init(_ quiz: QuizData, device: UUID, archive: Data) {
        self.init(
            key: RecordKey(quiz.identifier, device: device),
            values: [
                .text(quiz.title), .date(quiz.takenAt), .integer(Int64(quiz.answers.count)),
                .real(quiz.gradePointAverage),
            ], archive: archive)
    }

    /// Creates the record of a validated quiz that this host created. Throws ``QuizError/undecodable(_:)`` if it
    /// cannot be archived.
    public init(_ quiz: QuizData, device: UUID) throws(QuizError) {
        let archive: Data
        do {
            archive = try quiz.archivedData()
        } catch {
            throw .undecodable("\(error)")
        }
        self.init(quiz, device: device, archive: archive)
    }
}
