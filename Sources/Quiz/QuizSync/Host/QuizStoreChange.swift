public import QuizStorage

/// The changes of a host's database in one commit.
public final class QuizStoreChange: Sendable {
    /// The new quizzes.
    public let inserted: [StoredQuiz]
    /// The new content of changed quizzes.
    public let updated: [NewQuiz]
    /// The keys of deleted quizzes.
    public let deleted: [QuizKey]

    init(inserted: [StoredQuiz] = [], updated: [NewQuiz] = [], deleted: [QuizKey] = []) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }
}
