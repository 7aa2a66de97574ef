public import RecordStorage

extension RecordKind {
    /// The kind of quizzes: their table began with an earlier shape than that of other kinds.
    public static let quizzes = RecordKind(
        name: "quiz", plural: "quizzes",
        columns: [
            RecordColumn("title", .text), RecordColumn("taken_at", .date), RecordColumn("answer_count", .integer),
            RecordColumn("grade_point_average", .real),
        ], history: QuizSchema.migrations)
}
