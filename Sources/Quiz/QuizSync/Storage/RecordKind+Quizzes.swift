public import RecordStorage
import RecordSync

extension RecordKind {
    /// The kind of quizzes: their tables began with an earlier shape than those of other kinds.
    public static let quizzes = RecordKind(
        name: QuizData.name, plural: QuizData.plural, columns: QuizData.columns.map(\.column),
        history: QuizSchema.migrations)
}
