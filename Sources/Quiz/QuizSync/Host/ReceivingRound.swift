import Foundation
import LinkProtocol

/// What is said of quizzes that were taken in together, when all of them are settled.
struct ReceivingRound {
    /// In the order in which the quizzes took them.
    private(set) var statuses: [MessagePackage]
    private(set) var answers: [(reply: PendingReply, acknowledgement: QuizAcknowledgement)] = []

    init(_ arrived: [ArrivedQuiz]) { statuses = arrived.map(\.package) }

    mutating func settle(_ quiz: ArrivedQuiz, _ settlement: QuizSettlement) {
        statuses.append(quiz.package.with(status: settlement.status, errorMessage: settlement.message))
        guard let reply = quiz.reply else { return }
        answers.append((reply, settlement.acknowledgement(of: quiz.package.identifier, digest: quiz.digest)))
    }
}
