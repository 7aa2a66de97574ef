import Foundation
import LinkProtocol
import RecordStorage

/// A message that should be a quiz, with its decoded content.
struct ArrivedQuiz: Sendable {
    /// The message under the quiz's identifier, which the companion uses for the message as well.
    let package: MessagePackage
    let reply: PendingReply?
    let time: MonotonicTime
    /// The digest of the archive; nil if there is none.
    let digest: Data?
    /// The quiz that the device sent before it.
    let predecessor: UUID?
    let content: Result<Record, QuizError>

    init(_ message: MessagePackage, reply: PendingReply?, time: MonotonicTime) {
        self.reply = reply
        self.time = time
        var found: QuizContent?
        var identifier = message.identifier
        do throws(QuizError) {
            guard let payload = message.dataPackage else { throw .undecodable("the message is empty") }
            let content = try QuizContent(payload: payload)
            found = content
            let quiz = try EncodedData(content.archive).quizData
            identifier = quiz.identifier
            try quiz.validate()
            self.content = .success(
                Record(quiz, device: message.origin ?? .unknownPeer, archive: content.archive))
        } catch {
            content = .failure(error)
        }
        digest = found.map { ContentDigest.of($0.archive) }
        predecessor = found?.predecessor
        package = MessagePackage(
            identifier: identifier, command: message.command, status: .received, wantsReply: message.wantsReply,
            timestamp: message.timestamp, origin: message.origin)
    }

    /// The part of it that the rules need.
    var arrival: ReceiverEngine.Arrival {
        var refusal: QuizError?
        if case .failure(let error) = content { refusal = error }
        return ReceiverEngine.Arrival(
            package.identifier, from: package.origin ?? .unknownPeer, after: predecessor, refusal: refusal)
    }
}
