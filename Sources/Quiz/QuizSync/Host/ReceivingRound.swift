import Foundation
import LinkProtocol

/// What is said of quizzes that were taken in together, when all of them are settled.
struct ReceivingRound {
    /// In the order in which the quizzes took them.
    private(set) var statuses: [MessagePackage] = []
    private(set) var answers: [(reply: PendingReply, acknowledgement: QuizAcknowledgement)] = []
    /// The last quiz of each device that is settled when the round is.
    var latest: [UUID: UUID] = [:]

    mutating func begin(_ quiz: ArrivedQuiz) { statuses.append(quiz.package) }

    mutating func settle(_ quiz: ArrivedQuiz, _ verdict: QuizVerdict, message: String? = nil) {
        let status: DeliveryStatus = Disposition(verdict) == .delivered ? .replied : .failed
        statuses.append(quiz.package.with(status: status, errorMessage: message))
        guard let reply = quiz.reply else { return }
        // Bytes that are no quiz tell of no identifier.
        let identifier = verdict == .undecodable ? nil : quiz.package.identifier
        answers.append((reply, QuizAcknowledgement(identifier, verdict, digest: quiz.digest, message: message)))
    }
}
