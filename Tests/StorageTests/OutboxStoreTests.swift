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
        let pending = try store.pending().map(\.identifier)
        #expect(pending == entries.map(\.identifier))
        let archive = try store.archive(entries[7].identifier)
        #expect(archive == Data([7]))
        let none = try store.archive(UUID())
        #expect(none == nil)
    }

    @Test("A repeated quiz is known, in whatever state; other content is a conflict")
    func repeats() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let identifier = UUID()
        let entry = (identifier: identifier, archive: Data([1]))
        _ = try store.accept([entry], at: now)
        let again = try store.accept([entry], at: now)
        #expect(again == [.repeated(.pending, reason: nil)])
        try store.settle([(1, .failed, "invalid")], at: now)
        let failed = try store.accept([entry], at: now)
        #expect(failed == [.repeated(.failed, reason: "invalid")])
        let other = try store.accept([(identifier, Data([2]))], at: now)
        #expect(other == [.conflict])
    }

    @Test("Ends are kept with their reasons, and are no longer pending")
    func settled() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let identifiers = (0..<3).map { _ in UUID() }
        _ = try store.accept(identifiers.map { ($0, Data([1])) }, at: now)
        try store.settle([(1, .replied, nil), (2, .failed, "no title")], at: now)
        let pending = try store.pending().map(\.identifier)
        #expect(pending == [identifiers[2]])
        let counts = try store.counts()
        #expect(counts == [.pending: 1, .replied: 1, .failed: 1])
        let reasons = try store.entries(.failed, limit: 5).map(\.reason)
        #expect(reasons == ["no title"])
        let settledAt = try store.entry(identifiers[1])?.settledAt
        #expect(settledAt == now)
        try store.prune()
        let replied = try store.counts()[.replied]
        #expect(replied == 1)
    }
}
