public import RecordSync

extension RecordApplication {
    /// The application of quizzes: the first one, whose payloads have no name.
    public static let quizzes = RecordApplication(
        QuizData.self, kind: .quizzes, payloadName: nil, acknowledgements: AcknowledgementForm("QuizAcknowledgement"),
        derivedFields: ["answerCount"]
    ) { record in
        QuizRow(record.record).map { QuizData.isAhead($0.takenAt, of: record.receivedAt) } ?? false
    }
}
