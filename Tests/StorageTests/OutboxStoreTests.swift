import Foundation
import TestSupport
import Testing

@testable import QuizStorage
@testable import Storage

@Suite("Outbox store")
struct OutboxStoreTests {
    /// Lives as long as the suite's instance, of which each test has its own.
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    let now = Date(timeIntervalSince1970: 3000)

    @Test("Accepted quizzes are pending after a restart, in order, with their bytes")
    func accepted() throws {
        let entries = (0..<20).map { (identifier: UUID(), archive: Data([UInt8($0)])) }
        let outcomes = try OutboxStore(path: scratch.path("db.sqlite")).accept(entries, at: now)
        #expect(outcomes == (1...20).map { .accepted(position: $0) })
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        #expect(try store.pending().map(\.identifier) == entries.map(\.identifier))
        #expect(try store.archive(entries[7].identifier) == Data([7]))
        #expect(try store.archive(UUID()) == nil)
    }

    @Test("A repeated quiz is known, in whatever state; other content is a conflict")
    func repeats() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let identifier = UUID()
        let entry = (identifier: identifier, archive: Data([1]))
        _ = try store.accept([entry], at: now)
        #expect(try store.accept([entry], at: now) == [.repeated(.pending, reason: nil)])
        try store.settle([(1, .failed, "invalid")], at: now)
        #expect(try store.accept([entry], at: now) == [.repeated(.failed, reason: "invalid")])
        #expect(try store.accept([(identifier, Data([2]))], at: now) == [.conflict])
    }

    @Test("Ends are kept with their reasons, and are no longer pending")
    func settled() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let identifiers = (0..<3).map { _ in UUID() }
        _ = try store.accept(identifiers.map { ($0, Data([1])) }, at: now)
        try store.settle([(1, .replied, nil), (2, .failed, "no title")], at: now)
        #expect(try store.pending().map(\.identifier) == [identifiers[2]])
        #expect(try store.counts() == [.pending: 1, .replied: 1, .failed: 1])
        #expect(try store.entries(.failed, limit: 5).map(\.reason) == ["no title"])
        #expect(try store.entry(identifiers[1])?.settledAt == now)
        try store.prune()
        #expect(try store.counts()[.replied] == 1)
    }
}
