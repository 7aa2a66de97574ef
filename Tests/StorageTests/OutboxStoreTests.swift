import Foundation
import TestSupport
import Testing

@testable import QuizSync
@testable import RecordStorage
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

    /// Accepts five quizzes: the first is pending, the others are failed, replied, failed and pending.
    private func five(_ store: OutboxStore) throws -> [UUID] {
        let identifiers = (0..<5).map { _ in UUID() }
        _ = try store.accept(identifiers.map { ($0, Data([1])) }, at: now)
        try store.settle([(2, .failed, "one"), (3, .replied, nil), (4, .failed, "other")], at: now)
        return identifiers
    }

    @Test("All failed quizzes are pending again, after all others and in their order, without the failure")
    func retriesAll() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let quizzes = try five(store)
        let retried = try store.retry(nil)
        #expect(retried.map(\.identifier) == [quizzes[1], quizzes[3]])
        #expect(retried.map(\.position) == [6, 7])
        let pending = try store.pending().map(\.identifier)
        #expect(pending == [0, 4, 1, 3].map { quizzes[$0] })
        let entry = try store.entry(quizzes[1])
        #expect(
            entry
                == OutboxEntry(
                    identifier: quizzes[1], position: 6, state: .pending, reason: nil, acceptedAt: now, settledAt: nil))
        let archive = try store.archive(quizzes[1])
        #expect(archive == Data([1]))
        let again = try store.retry(nil).count
        #expect(again == 0)
    }

    @Test("Of named quizzes the failed ones are retried, in the order of the names, each once")
    func retriesNamed() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let quizzes = try five(store)
        let names = [quizzes[3], quizzes[0], quizzes[2], UUID(), quizzes[3]]
        let retried = try store.retry(names)
        #expect(retried.map(\.identifier) == [quizzes[3]])
        #expect(retried.map(\.position) == [6])
        let none = try store.retry([]).count
        #expect(none == 0)
        let counts = try store.counts()
        #expect(counts == [.pending: 3, .replied: 1, .failed: 1])
    }

    @Test("Only failed quizzes are dropped, and a dropped one may be accepted again, at a new position")
    func drops() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let quizzes = try five(store)
        let dropped = try store.drop(quizzes + [UUID()])
        #expect(dropped == [quizzes[1], quizzes[3]])
        let again = try store.drop(quizzes)
        #expect(again == [])
        let counts = try store.counts()
        #expect(counts == [.pending: 2, .replied: 1])
        let outcomes = try store.accept([(quizzes[1], Data([2]))], at: now)
        #expect(outcomes == [.accepted(position: 6)])
    }

    @Test("Pages list what is not replied to, in order, after a position and up to the limit")
    func openEntries() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        _ = try five(store)
        func page(_ position: Int64, _ limit: Int) throws -> [Int64] {
            try store.open(after: position, limit: limit).map(\.position)
        }
        let pages = [
            try page(0, 9), try page(0, 4), try page(0, 3), try page(1, 9), try page(2, 1), try page(5, 9),
            try page(0, 0),
        ]
        #expect(pages == [[1, 2, 4, 5], [1, 2, 4, 5], [1, 2, 4], [2, 4, 5], [4], [], []])
    }

    @Test("The latest entries of each state are listed, the newest first")
    func latestEntries() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        _ = try five(store)
        let all = try OutboxEntry.State.allCases.map { try store.entries($0, limit: 9).map(\.position) }
        #expect(all == [[5, 1], [3], [4, 2]])
        let one = try store.entries(.failed, limit: 1).map(\.position)
        #expect(one == [4])
        let unknown = try store.entry(UUID())
        #expect(unknown == nil)
    }

    @Test("An empty outbox has no entries, and a quiz twice in one submission is accepted once")
    func edges() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let none = try store.counts()
        #expect(none == [:])
        let nothing = try store.accept([], at: now)
        #expect(nothing == [])
        let identifier = UUID()
        let outcomes = try store.accept(
            [(identifier, Data()), (identifier, Data()), (identifier, Data([0]))], at: now)
        #expect(outcomes == [.accepted(position: 1), .repeated(.pending, reason: nil), .conflict])
        let archive = try store.archive(identifier)
        #expect(archive == Data())
    }

    @Test("What was pruned counts no more, and replies and failures after it count as what they are")
    func prunedAgain() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let entries = (0..<10_003).map { _ in (identifier: UUID(), archive: Data([1])) }
        _ = try store.accept(entries, at: now)
        try store.settle((1...10_003).map { ($0, .replied, nil) }, at: now)
        let first = try store.prune()
        #expect(Set(first) == Set(entries.prefix(3).map(\.identifier)))
        let none = try store.prune()
        #expect(none == [])
        let late = (0..<2).map { _ in (identifier: UUID(), archive: Data([2])) }
        let outcomes = try store.accept(late, at: now)
        #expect(outcomes == [.accepted(position: 10_004), .accepted(position: 10_005)])
        try store.settle([(10_004, .failed, "why")], at: now)
        let noneForFailure = try store.prune()
        #expect(noneForFailure == [])
        try store.settle([(10_005, .replied, nil)], at: now)
        let one = try store.prune()
        #expect(one == [entries[3].identifier])
        let counts = try store.counts()
        #expect(counts == [.replied: 10_000, .failed: 1])
    }
}
