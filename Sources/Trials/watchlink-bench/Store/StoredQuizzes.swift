import Foundation
import QuizSync
import RecordStorage

/// The quizzes in a host's database, while the host is not running.
struct StoredQuizzes {
    /// The quizzes of one transaction. 1,000: its cost is shared by enough.
    private static let batch = 1_000

    private let store: SQLiteRecordStore

    init(at path: String) throws { store = try SQLiteRecordStore(kind: .quizzes, path: path) }

    /// Stores different quizzes of one device.
    func add(_ count: Int) throws {
        let device = UUID()
        for start in stride(from: 0, to: count, by: Self.batch) {
            let quizzes = try (start..<min(count, start + Self.batch)).map { _ in
                try Record(BenchQuiz.quiz(), device: device)
            }
            _ = try store.insert(quizzes, receivedAt: Date())
        }
    }

    /// Removes the oldest, as a retention does: their pages become free.
    func expire(keeping count: Int) throws {
        while try !store.expire(receivedBefore: nil, keeping: count, limit: Self.batch).isEmpty {}
    }
}
