import Foundation
import LinkProtocol

/// The statuses and answers of quizzes that were accepted together, collected until all of them are settled.
struct ReceivingRound {
    /// The statuses in the order of the changes.
    private(set) var statuses: [MessagePackage]
    private(set) var answers: [(reply: PendingReply, acknowledgement: QuizAcknowledgement)] = []

    init(_ arrived: [ArrivedQuiz]) { statuses = arrived.map(\.package) }

    mutating func settle(_ quiz: ArrivedQuiz, _ settlement: QuizSettlement) {
        statuses.append(quiz.package.with(status: settlement.status, errorMessage: settlement.message))
        guard let reply = quiz.reply else { return }
        answers.append((reply, settlement.acknowledgement(of: quiz.package.identifier, digest: quiz.digest)))
    }
}
