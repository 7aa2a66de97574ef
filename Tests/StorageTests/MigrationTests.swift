import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import Storage

@Suite("Migrations")
struct MigrationTests {
    private let scratch: Scratch
    private let now = Date(timeIntervalSince1970: 3000)

    init() throws { scratch = try Scratch() }

    /// A file as a former version left it.
    private func formerFile(_ migrations: [String], _ sql: String) throws -> String {
        let path = scratch.path("db.sqlite")
        try Database(path: path, migrations: migrations).execute(sql)
        return path
    }

    @Test("Quizzes stay, with their sequences, and none of these is used again")
    func quizzes() throws {
        let (kept, deleted, device) = (UUID(), UUID(), UUID())
        func row(_ identifier: UUID) -> String {
            """
            INSERT INTO quizzes (identifier, device, title, taken_at, answer_count, grade_point_average, archive, received_at)
            VALUES ('\(identifier)', '\(device)', 'former', 1000, 1, 4.0, x'01', 2000);
            """
        }
        let path = try formerFile(
            Array(QuizSchema.migrations.prefix(1)), row(kept) + row(deleted) + "DELETE FROM quizzes WHERE sequence = 2")
        let store = SQLiteQuizStore(path: path)
        #expect(try store.quizzes(identifier: kept).map(\.sequence) == [1])
        let quiz = NewQuiz(
            identifier: UUID(), device: device, title: "new", takenAt: now, answerCount: 1, gradePointAverage: 4,
            archive: Data([2]))
        #expect(try store.insert([quiz], receivedAt: now) == [.stored(sequence: 3)])
        #expect(try store.delete(quiz.identifier, device: device, deletedAt: now))
        #expect(try store.insert([quiz], receivedAt: now) == [.repeated], "what was deleted stays so")
        let next = NewQuiz(
            identifier: UUID(), device: device, title: "next", takenAt: now, answerCount: 1, gradePointAverage: 4,
            archive: Data([3]))
        #expect(try store.insert([next], receivedAt: now) == [.stored(sequence: 4)])
        let readable = try Database(path: path, migrations: nil).statement("SELECT title FROM readable_quizzes")
        #expect(try readable.step() && readable.text(0) == "former")
    }

    @Test("An outbox keeps what waits, in its order, and what ended")
    func outbox() throws {
        let identifiers = (0..<3).map { _ in UUID() }
        let rows = zip(identifiers, ["replied", "pending", "failed"]).map {
            "INSERT INTO outbox (identifier, archive, state, accepted_at) VALUES ('\($0)', x'07', '\($1)', 1);"
        }
        let store = OutboxStore(
            path: try formerFile(Array(OutboxSchema.migrations.prefix(1)), rows.joined()))
        #expect(try store.pending().map(\.identifier) == [identifiers[1]])
        #expect(try store.archive(identifiers[1]) == Data([7]))
        #expect(try store.counts() == [.pending: 1, .replied: 1, .failed: 1])
        #expect(try store.accept([(UUID(), Data([8]))], at: now) == [.accepted(position: 4)])
    }

    @Test("A ledger keeps its entries and their order")
    func ledger() throws {
        let identifiers = (0..<2).map { _ in UUID() }
        let rows = zip(identifiers, [9, 8]).map {
            """
            INSERT INTO ledger (identifier, direction, kind, bytes, state, attempts, sent_at, change)
            VALUES ('\($0)', 'outgoing', 'message', 5, 'sent', 1, 1000000, \($1));
            """
        }
        let store = SessionStore(path: try formerFile(Array(SessionSchema.migrations.prefix(2)), rows.joined()))
        #expect(try store.ledger(LedgerQuery()).map(\.identifier) == identifiers.reversed())
        var news = LedgerEntry(
            identifier: identifiers[1], direction: .outgoing, kind: .message, device: nil, bytes: 0, state: .replied)
        news.become(.replied, at: now)
        try store.write([news], capacity: 10)
        let entries = try store.ledger(LedgerQuery())
        #expect(entries.map(\.identifier) == identifiers)
        #expect(entries[1].sentAt == Date(timeIntervalSince1970: 1) && entries[1].state == .replied)
        #expect(entries[1].bytes == 5 && entries[1].sequence == 10)
    }

    @Test("Replied entries beyond those that are kept go, the oldest first")
    func pruned() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let entries = (0..<10_010).map { _ in (identifier: UUID(), archive: Data([1])) }
        _ = try store.accept(entries, at: now)
        try store.prune()
        // The fourth stays open, and is not counted.
        try store.settle((1...10_010).filter { $0 != 4 }.map { ($0, .replied, nil) }, at: now)
        try store.prune()
        #expect(try store.counts() == [.pending: 1, .replied: 10_000])
        #expect(try store.entry(entries[9].identifier) == nil && store.entry(entries[10].identifier) != nil)
    }

    @Test("An identifier's text is read in both cases, and nothing else is")
    func identifierText() {
        func read(_ text: String) -> UUID? {
            let bytes = Array(text.utf8)
            return bytes.withUnsafeBufferPointer { UUIDText.read($0) }
        }
        for _ in 0..<100 {
            let identifier = UUID()
            #expect(read(identifier.uuidString) == identifier)
            #expect(read(identifier.uuidString.lowercased()) == identifier)
        }
        let text = UUID().uuidString
        for wrong in [
            "", "x", String(text.dropLast()), text + "0", text.replacing("-", with: "0"), "G" + text.dropFirst(),
        ] {
            #expect(read(wrong) == nil)
        }
    }
}
