import Foundation
import LinkProtocol

/// The interface of the device's program that a ``QuizApp`` uses.
protocol QuizProcess: AnyObject {
    /// Sends a quiz to the phone, with the identifier of its predecessor. Its end is reported once, by
    /// ``QuizApp/replied(_:_:)`` or ``QuizApp/failed(_:_:reason:)``.
    func sendQuiz(_ quiz: UUID, after predecessor: UUID?)

    /// Answers a quiz that a watch sent.
    func answerQuiz(_ quiz: UUID, of device: UUID, _ reply: Data)

    /// Schedules an event in this life of the program.
    func schedule(at time: MonotonicTime, _ event: Event)

    /// Changes the application's records. `done` gets the result of the change, or nil if the disk failed; by then the
    /// change is durable, unless a planted bug makes the disk eager.
    func commit<Result>(
        isEager: Bool, _ change: @escaping (inout AppRecords) -> Result, _ done: @escaping (Result?) -> Void)
}
