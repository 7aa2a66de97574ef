public import RecordStorage

/// The changes of a host's database in one commit.
public final class QuizStoreChange: Sendable {
    /// The new quizzes.
    public let inserted: [StoredRecord]
    /// The new content of changed quizzes.
    public let updated: [Record]
    /// The keys of deleted quizzes.
    public let deleted: [RecordKey]

    init(inserted: [StoredRecord] = [], updated: [Record] = [], deleted: [RecordKey] = []) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }
}
