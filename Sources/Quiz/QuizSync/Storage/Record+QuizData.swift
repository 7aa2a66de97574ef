public import Foundation
public import RecordStorage
import RecordSync

extension Record {
    /// Creates the record of a validated quiz, with its archive as received.
    public init(_ quiz: QuizData, device: UUID, archive: Data) {
        self = RecordApplication.quizzes.record(quiz, device: device, archive: archive)
    }

    /// Creates the record of a validated quiz that this host created. Throws ``QuizError/undecodable(_:)`` if it cannot
    /// be archived.
    public init(_ quiz: QuizData, device: UUID) throws(QuizError) {
        do throws(PayloadError) {
            self = try RecordApplication.quizzes.record(quiz, device: device)
        } catch {
            throw QuizError(error)
        }
    }
}
