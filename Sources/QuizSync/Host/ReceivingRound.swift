import LinkProtocol

/// What is said of quizzes that were taken in together, when all of them are settled.
struct ReceivingRound {
    /// In the order in which the quizzes took them.
    private(set) var statuses: [MessagePackage] = []
    private(set) var answers: [(reply: PendingReply, acknowledgement: QuizAcknowledgement)] = []

    mutating func begin(_ quiz: ArrivedQuiz) { statuses.append(quiz.package) }

    mutating func settle(_ quiz: ArrivedQuiz, _ verdict: QuizVerdict, message: String? = nil) {
        let status: DeliveryStatus = Disposition(verdict) == .delivered ? .replied : .failed
        statuses.append(quiz.package.with(status: status, errorMessage: message))
        guard let reply = quiz.reply else { return }
        answers.append((reply, QuizAcknowledgement(quiz.package.identifier, verdict, message: message)))
    }
}
