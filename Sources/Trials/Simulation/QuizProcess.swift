import Foundation
import LinkProtocol

/// What a ``QuizApp`` needs of the device's program that it is part of.
protocol QuizProcess: AnyObject {
    /// Sends a quiz to the phone, with the name of the one before it. Its end is to be told with ``QuizApp/replied(_:_:)`` or
    /// ``QuizApp/failed(_:_:reason:)``, once.
    func sendQuiz(_ quiz: UUID, after predecessor: UUID?)

    /// Answers a quiz that a watch has sent.
    func answerQuiz(_ quiz: UUID, of device: UUID, _ reply: Data)

    /// Something later, in this life of the program.
    func schedule(at time: MonotonicTime, _ event: Event)

    /// Changes what the application keeps: `done` has what the change returned, or nil if the disk did not take it. By then it is
    /// durable, unless the disk is too eager, as a planted bug has it.
    func commit<Result>(
        isEager: Bool, _ change: @escaping (inout AppRecords) -> Result, _ done: @escaping (Result?) -> Void)
}
