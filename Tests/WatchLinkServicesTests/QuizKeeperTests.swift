import EventLog
import Foundation
import Storage
import TestSupport
import Testing

@testable import WatchLinkServices

/// A store whose removals wait for the test.
private final class GatedStore: QuizStore {
    let store: SQLiteQuizStore
    let begun = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)

    init(path: String) { store = SQLiteQuizStore(path: path) }

    func expire(
        receivedBefore time: Date?, keeping count: Int?, limit: Int
    ) throws(DatabaseError) -> [(identifier: UUID, device: UUID)] {
        begun.signal()
        gate.wait()
        return try store.expire(receivedBefore: time, keeping: count, limit: limit)
    }

    func receivedArchive(_ identifier: UUID, device: UUID) throws(DatabaseError) -> Data? {
        try store.receivedArchive(identifier, device: device)
    }
    func insert(_ quizzes: [NewQuiz], receivedAt: Date) throws(DatabaseError) -> [InsertOutcome] {
        try store.insert(quizzes, receivedAt: receivedAt)
    }
    func update(_ quiz: NewQuiz, updatedAt: Date) throws(DatabaseError) -> Bool {
        try store.update(quiz, updatedAt: updatedAt)
    }
    func delete(_ identifier: UUID, device: UUID, deletedAt: Date) throws(DatabaseError) -> Bool {
        try store.delete(identifier, device: device, deletedAt: deletedAt)
    }
    func quizzes(identifier: UUID) throws(DatabaseError) -> [StoredQuiz] { try store.quizzes(identifier: identifier) }
    func quizzes(after sequence: Int64, limit: Int) throws(DatabaseError) -> [StoredQuiz] {
        try store.quizzes(after: sequence, limit: limit)
    }
    func latestQuizzes(limit: Int) throws(DatabaseError) -> [StoredQuiz] { try store.latestQuizzes(limit: limit) }
    func count() throws(DatabaseError) -> Int { try store.count() }
}

@Suite("What the host keeps")
struct QuizKeeperTests {
    @Test("While quizzes are removed, the status of the host does not wait for it")
    func status() throws {
        let scratch = try Scratch()
        let store = GatedStore(path: scratch.path("quizzes.sqlite"))
        var retention = Retention()
        retention.days = 30
        let keeper = QuizKeeper(store: store, maintenance: store.store, retention: retention, logger: .silent)
        let counts = Collector<Int>()
        let removal = Thread {
            // An empty database cannot fail; if it does there is no count.
            if let removed = try? keeper.expireConfirmed(progress: { counts.add($0) }) { counts.add(removed) }
        }
        removal.start()
        store.begun.wait()
        let held = Collector<Int>()
        Thread { held.add(keeper.heldBack) }.start()
        #expect(held.wait { $0 == [0] }, "it waits")
        store.gate.signal()
        #expect(counts.wait { $0 == [0, 0] }, "\(counts.all)")
    }
}
