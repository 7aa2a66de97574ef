import DeviceEngine
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import QuizSync
@testable import RecordStorage
@testable import SessionStorage
@testable import Storage

/// A statement that stays at a row keeps a transaction open, and its connection sees none of the later commits of
/// others.
@Suite("Open transactions")
struct OpenTransactionTests {
    /// A use of a store.
    private typealias Use = (name: String, run: () throws -> Void)

    private let scratch: Scratch
    private let now = Date(timeIntervalSince1970: 2000)

    init() throws { scratch = try Scratch() }

    @Test("After each use of a quiz store, a quiz that another connection stores is seen at once")
    func quizzes() throws {
        let path = scratch.path("quizzes.sqlite")
        let (store, other) = (
            try SQLiteRecordStore(kind: .quizzes, path: path), try SQLiteRecordStore(kind: .quizzes, path: path)
        )
        let (kept, deleted) = (quiz(), quiz())
        let large = (0..<3).map { _ in quiz(archive: Data(repeating: 7, count: 600_000)) }
        _ = try store.insert([kept, deleted] + large, receivedAt: now)
        _ = try store.delete(RecordKey(deleted.identifier, device: deleted.device), deletedAt: now)
        let conflicting = quiz(kept.identifier, device: kept.device, archive: Data([9]))
        let uses: [Use] = [
            ("count", { _ = try store.count() }),
            ("ages", { _ = try store.ages(before: now) }),
            ("archive", { _ = try store.receivedArchive(RecordKey(kept.identifier, device: kept.device)) }),
            ("full page", { _ = try store.records(after: .start, limit: 9) }),
            ("latest", { _ = try store.latestRecords(limit: 1) }),
            ("repeat", { _ = try store.insert([kept], receivedAt: now) }),
            ("conflict", { _ = try store.insert([conflicting], receivedAt: now) }),
            ("deleted repeat", { _ = try store.insert([deleted], receivedAt: now) }),
            ("nothing", { _ = try store.insert([], receivedAt: now) }),
        ]
        for use in uses {
            try use.run()
            let probe = quiz()
            _ = try other.insert([probe], receivedAt: now)
            let seen = try store.records(identifier: probe.identifier).count
            #expect(seen == 1, "\(use.name)")
        }
    }

    @Test("After each use of an outbox, a quiz that another connection accepts is seen at once")
    func outbox() throws {
        let path = scratch.path("outbox.sqlite")
        let (store, other) = (OutboxStore(path: path), OutboxStore(path: path))
        let (first, second) = (UUID(), UUID())
        _ = try store.accept([(first, Data([1])), (second, Data([2]))], at: now)
        try store.settle([(2, .failed, "why")], at: now)
        let uses: [Use] = [
            ("archive", { _ = try store.archive(first) }),
            ("repeat", { _ = try store.accept([(first, Data([1]))], at: now) }),
            ("conflict", { _ = try store.accept([(first, Data([9]))], at: now) }),
            ("pending", { _ = try store.pending() }),
            ("counts", { _ = try store.counts() }),
            ("open", { _ = try store.open(after: 0, limit: 1) }),
            ("retry", { _ = try store.retry(nil) }),
        ]
        for use in uses {
            try use.run()
            let probe = UUID()
            _ = try other.accept([(probe, Data([3]))], at: now)
            let seen = try store.entry(probe)?.identifier
            #expect(seen == probe, "\(use.name)")
        }
    }

    @Test("After each use of a session store, a watch that another connection records is seen at once")
    func session() throws {
        let path = scratch.path("session.sqlite")
        let (store, other) = (SessionStore(path: path), SessionStore(path: path))
        let peer = UUID()
        let transfer = OutgoingTransfer(
            identifier: UUID(), peer: peer, kind: .userInfo, payload: Data([1]), queuedAt: now)
        let arrival = ReceivedTransfer(
            identifier: UUID(), peer: peer, kind: .userInfo, payload: Data([2]), receivedAt: now)
        let context = ReceivedTransfer(
            identifier: UUID(), peer: peer, kind: .context, payload: Data([3]), receivedAt: now)
        let entry = LedgerEntry(
            identifier: UUID(), direction: .outgoing, kind: .message, device: peer, bytes: 5, state: .sent)
        _ = try store.queue(transfer)
        _ = try store.receive([arrival])
        try store.keep(PairingCode(hash: "$6$"))
        let uses: [Use] = [
            ("outgoing", { _ = try store.outgoing(transfer.identifier) }),
            ("seen", { _ = try store.hasSeen(arrival.identifier, from: peer) }),
            ("inbox count", { _ = try store.inboxCount() }),
            ("trouble", { _ = store.trouble }),
            ("pairing code", { _ = try store.pairingCode() }),
            ("first entry", { try store.write(LedgerBatch([entry], capacity: 10)) }),
            ("merged entry", { try store.write(LedgerBatch([entry], capacity: 10)) }),
            ("repeat", { _ = try store.receive([arrival]) }),
            ("context", { _ = try store.receive([context]) }),
        ]
        for use in uses {
            try use.run()
            let watch = UUID()
            let companion = Companion(identifier: watch, name: "")
            try other.record(CompanionRecord(companion: companion, budget: ComplicationBudget(day: 0, used: 0)))
            let known = try store.companions().map(\.companion.identifier)
            #expect(known.contains(watch), "\(use.name)")
        }
    }
}
