import Foundation
import LinkProtocol
import LinkTransport
import Storage

/// A message that should be a quiz, and what was found in it.
struct ArrivedQuiz: Sendable {
    /// Under the quiz's identifier, which is the message's on the companion as well.
    let package: MessagePackage
    let reply: PendingReply?
    let time: MonotonicTime
    let content: Result<NewQuiz, QuizError>

    /// The device of a quiz that no connection brought: all zeros.
    private static let unknownDevice = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    init(_ message: MessagePackage, reply: PendingReply?, time: MonotonicTime) {
        self.reply = reply
        self.time = time
        var identifier = message.identifier
        do throws(QuizError) {
            let quiz = try Self.newQuiz(message)
            identifier = quiz.identifier
            content = .success(quiz)
        } catch {
            content = .failure(error)
        }
        package = MessagePackage(
            identifier: identifier, command: message.command, status: .received, wantsReply: message.wantsReply,
            timestamp: message.timestamp, origin: message.origin)
    }

    private static func newQuiz(_ message: MessagePackage) throws(QuizError) -> NewQuiz {
        guard let payload = message.dataPackage else { throw .undecodable("the message is empty") }
        let encoded = try EncodedData(payload: payload)
        let quiz = try encoded.quizData
        try quiz.validate(now: Date())
        return NewQuiz(quiz, device: message.origin ?? unknownDevice, archive: encoded.data)
    }
}
