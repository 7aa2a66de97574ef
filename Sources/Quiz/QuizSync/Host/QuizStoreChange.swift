public import QuizStorage

/// What a host's database went through in one commit.
public final class QuizStoreChange: Sendable {
    public let inserted: [StoredQuiz]
    public let updated: [NewQuiz]
    /// Identifier and device of what was removed.
    public let deleted: [QuizKey]

    init(inserted: [StoredQuiz] = [], updated: [NewQuiz] = [], deleted: [QuizKey] = []) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }
}
