import DeviceEngine
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import SessionStorage
@testable import Storage

@Suite("Session store")
struct SessionStoreTests {
    private let scratch: Scratch
    private let store: SessionStore
    private let peer = UUID()

    init() throws {
        scratch = try Scratch()
        store = SessionStore(path: scratch.path("session.sqlite"))
    }

    private func outgoing(_ kind: TransferKind = .userInfo, file: FileStamp? = nil) -> OutgoingTransfer {
        OutgoingTransfer(
            identifier: UUID(), peer: peer, kind: kind, payload: Data([1]), file: file,
            queuedAt: Date(timeIntervalSince1970: 5))
    }

    private func received(_ kind: TransferKind = .userInfo, _ identifier: UUID = UUID()) -> ReceivedTransfer {
        ReceivedTransfer(
            identifier: identifier, peer: peer, kind: kind, payload: Data([2]),
            receivedAt: Date(timeIntervalSince1970: 6))
    }

    @Test("Transfers are kept in order until the delegate knows their ends")
    func outgoing() throws {
        let file = FileStamp(path: "/f", size: 1, modified: 2, inode: 3)
        var transfers = [outgoing(), outgoing(.file, file: file)]
        for index in transfers.indices { transfers[index].position = try store.queue(transfers[index]).position }
        let reopened = try SessionStore(path: scratch.path("session.sqlite")).outgoing()
        #expect(reopened == transfers)
        let ending = OutgoingTransfer.Ending(code: 7014, reason: "why")
        try store.settle([(transfers[0].identifier, ending)])
        let kept = try store.outgoing(transfers[0].identifier)?.ending
        #expect(kept == ending)
        try store.forget([transfers[0].identifier])
        let left = try store.outgoing()
        #expect(left == [transfers[1]])
    }

    @Test("A context replaces the pending one, and is the last that was sent")
    func contexts() throws {
        let first = outgoing(.context)
        let replaced = try store.queue(first).replaced
        #expect(replaced == nil)
        let replacedNext = try store.queue(outgoing(.context)).replaced
        #expect(replacedNext == first.identifier)
        let waiting = try store.outgoing().count
        #expect(waiting == 1)
        let sent = try store.contexts().sent
        #expect(sent == [peer: Data([1])])
        let adopted = UUID()
        try store.adopt(adopted, from: peer)
        let sentAdopted = try store.contexts().sent
        #expect(sentAdopted == [adopted: Data([1])])
        let peers = try store.outgoing().map(\.peer)
        #expect(peers == [adopted])
        try store.forgetContexts(of: adopted)
        let forgotten = try store.contexts().sent
        #expect(forgotten == [:])
    }

    @Test("Arrivals are kept once and delivered in order; repeats are recognised")
    func inbox() throws {
        let (info, context, newer) = (received(), received(.context), received(.context))
        let stored = try store.receive([info, context])
        #expect(stored == [.stored(replaced: nil), .stored(replaced: nil)])
        let storedLater = try store.receive([info, newer])
        #expect(storedLater == [.repeated, .stored(replaced: context.identifier)])
        let isSeen = try store.hasSeen(info.identifier, from: peer)
        #expect(isSeen)
        let isSeenFromOther = try store.hasSeen(info.identifier, from: UUID())
        #expect(!isSeenFromOther)
        let waiting = try store.inbox(after: 0, limit: 10)
        #expect(waiting.map(\.identifier) == [info.identifier, newer.identifier])
        try store.delivered([waiting[0].position])
        let count = try store.inboxCount()
        #expect(count == 1)
        let repeated = try store.receive([info])
        #expect(repeated == [.repeated])
        let contexts = try store.contexts().received
        #expect(contexts == [peer: Data([2])])
    }

    @Test("An inbox that is never emptied is full at its limit, and the memory of seen transfers is bounded")
    func bounds() throws {
        let transfers = (0..<SessionStore.inboxCapacity).map { _ in received() }
        let outcomes = try store.receive(transfers)
        #expect(outcomes.filter { $0 != .stored(replaced: nil) } == [])
        let beyond = try store.receive([received()])
        #expect(beyond == [.full(capacity: SessionStore.inboxCapacity)])
        let isFirstSeen = try store.hasSeen(transfers[0].identifier, from: peer)
        #expect(!isFirstSeen)
        let isLastSeen = try store.hasSeen(transfers[transfers.count - 1].identifier, from: peer)
        #expect(isLastSeen)
    }

    @Test("Watches are kept with their budgets")
    func companions() throws {
        var companion = Companion(identifier: UUID(), name: "Grüße")
        companion.isActive = true
        let record = CompanionRecord(companion: companion, budget: ComplicationBudget(day: 3, used: 4))
        try store.record(record)
        companion.isPaired = false
        try store.record(CompanionRecord(companion: companion, budget: record.budget))
        let companions = try store.companions()
        #expect(companions == [CompanionRecord(companion: companion, budget: record.budget)])
    }

    @Test("The ledger keeps one entry for each message and side, moved to the end by each change, up to its limit")
    func ledger() throws {
        func entry(_ identifier: UUID, _ state: LedgerEntry.State, _ second: Double) -> LedgerEntry {
            var entry = LedgerEntry(
                identifier: identifier, direction: .outgoing, kind: .message, device: peer, bytes: 5, state: state)
            entry.become(state, at: Date(timeIntervalSince1970: second), cause: state == .failed ? "why" : nil)
            return entry
        }
        let identifiers = (0..<5).map { _ in UUID() }
        try store.write(LedgerBatch(identifiers.map { entry($0, .sent, 1) }, capacity: 10))
        try store.write(LedgerBatch([entry(identifiers[0], .failed, 2)], capacity: 10))
        let entries = try store.ledger(LedgerQuery())
        #expect(entries.map(\.identifier) == identifiers[1...] + [identifiers[0]])
        let last = try #require(entries.last)
        #expect(last.state == .failed)
        #expect(last.cause == "why")
        #expect(last.attempts == 1)
        #expect(last.sentAt == Date(timeIntervalSince1970: 1))
        #expect(last.endedAt == Date(timeIntervalSince1970: 2))
        var query = LedgerQuery()
        query.after = entries[3].sequence
        let newest = try store.ledger(query)
        #expect(newest == [last])
        query = LedgerQuery()
        query.limit = 2
        let latest = try store.ledger(query).map(\.identifier)
        #expect(latest == [identifiers[4], identifiers[0]])
        // Page after page from the latest on.
        query.before = entries[3].sequence
        let earlier = try store.ledger(query).map(\.identifier)
        #expect(earlier == [identifiers[2], identifiers[3]])
        query.before = entries[0].sequence
        let none = try store.ledger(query)
        #expect(none == [])
        query.before = nil
        var incoming = LedgerEntry(
            identifier: identifiers[1], direction: .incoming, kind: .message, device: peer, bytes: 5, state: .received)
        incoming.become(.replied, at: Date(timeIntervalSince1970: 3))
        try store.write(LedgerBatch([incoming], capacity: 10))
        // The delegate's method returns after it has replied, and a repeat arrives: the state stays replied.
        incoming.state = .delivered
        try store.write(LedgerBatch([incoming], capacity: 10))
        incoming.related = incoming.identifier
        incoming.state = .received
        try store.write(LedgerBatch([incoming], capacity: 10))
        query.identifier = incoming.identifier
        let state = try store.ledger(query).last?.state
        #expect(state == .replied)
        try store.write(LedgerBatch([entry(UUID(), .sent, 3)], capacity: 3))
        let left = try store.ledger(LedgerQuery()).count
        #expect(left == 3)
    }
}
