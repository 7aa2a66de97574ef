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

    @Test("Of several active watches, which an earlier version could leave, the one that was recorded last is active")
    func severalActive() throws {
        let watches = (0..<3).map { Companion(identifier: UUID(), name: "\($0)") }
        for watch in watches { try store.record(CompanionRecord(companion: watch, budget: ComplicationBudget())) }
        let before = try store.companions().filter(\.companion.isActive)
        #expect(before == [])
        let database = try Database(path: scratch.path("session.sqlite"), migrations: nil)
        try database.execute("UPDATE companions SET is_active = 1 WHERE name != '2'")
        let active = try store.companions().filter(\.companion.isActive).map(\.companion.name)
        #expect(active == ["1"])
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

    // MARK: - What is kept, and what is not

    @Test("What has no payload, no file, no code and no reason comes back without")
    func absent() throws {
        var transfer = OutgoingTransfer(
            identifier: UUID(), peer: peer, kind: .userInfo, payload: nil, queuedAt: Date(timeIntervalSince1970: 5))
        transfer.position = try store.queue(transfer).position
        let kept = try store.outgoing(transfer.identifier)
        #expect(kept == transfer)
        transfer.ending = OutgoingTransfer.Ending(code: nil, reason: nil)
        try store.settle([(transfer.identifier, OutgoingTransfer.Ending(code: nil, reason: nil))])
        let ended = try store.ended()
        #expect(ended == [transfer])
        var arrival = ReceivedTransfer(
            identifier: UUID(), peer: peer, kind: .file, payload: nil, path: "/inbox/f",
            receivedAt: Date(timeIntervalSince1970: 6))
        _ = try store.receive([received(), arrival])
        arrival.position = 2
        let last = try store.inbox(after: 1, limit: 10)
        #expect(last == [arrival])
        let paths = try store.inboxPaths()
        #expect(paths == ["/inbox/f"])
        let unknown = try store.outgoing(UUID())
        #expect(unknown == nil)
    }

    @Test("Only what has ended is told as ended, and only what is stored can end")
    func ended() throws {
        let (open, over) = (outgoing(.userInfo), outgoing(.userInfo))
        for transfer in [open, over] { _ = try store.queue(transfer) }
        let none = try store.ended()
        #expect(none == [])
        let ending = OutgoingTransfer.Ending(code: nil, reason: nil)
        let settled = Collector<[UUID]>()
        try store.settle([(UUID(), ending), (over.identifier, ending)]) { transfers in
            settled.add(transfers.map(\.identifier))
            return .nothing
        }
        #expect(settled.all == [[over.identifier]])
        let ended = try store.ended().map(\.identifier)
        #expect(ended == [over.identifier])
    }

    @Test("A complication transfer that is no longer the current one becomes a plain one, and no other does")
    func demoted() throws {
        let (former, current) = (outgoing(.complication), outgoing(.complication))
        for transfer in [former, current] { _ = try store.queue(transfer) }
        try store.demote(former.identifier)
        let kinds = try store.outgoing().map(\.kind)
        #expect(kinds == [.userInfo, .complication])
    }

    @Test("A context replaces one for the same counterpart that has not ended; nothing else is replaced")
    func replaced() throws {
        let other = OutgoingTransfer(
            identifier: UUID(), peer: UUID(), kind: .context, payload: Data([3]),
            queuedAt: Date(timeIntervalSince1970: 5))
        let over = outgoing(.context)
        for transfer in [outgoing(.userInfo), other, over] { _ = try store.queue(transfer) }
        try store.settle([(over.identifier, OutgoingTransfer.Ending(code: nil, reason: nil))])
        let replaced = try store.queue(outgoing(.context)).replaced
        #expect(replaced == nil)
        let count = try store.outgoing().count
        #expect(count == 4)
    }

    @Test("Only what waited for the first watch is assigned to it")
    func adopted() throws {
        let unknown = UUID()
        let waiting = OutgoingTransfer(
            identifier: UUID(), peer: unknown, kind: .userInfo, payload: Data([3]),
            queuedAt: Date(timeIntervalSince1970: 5))
        for transfer in [outgoing(.context), waiting] { _ = try store.queue(transfer) }
        let watch = UUID()
        try store.adopt(watch, from: unknown)
        let peers = try store.outgoing().map(\.peer)
        #expect(peers == [peer, watch])
        try store.forgetContexts(of: watch)
        let sent = try store.contexts().sent
        #expect(sent == [peer: Data([1])])
    }

    @Test("The inbox is read behind a position, and no more than asked for")
    func pages() throws {
        let transfers = (0..<4).map { _ in received() }
        _ = try store.receive(transfers)
        let middle = try store.inbox(after: 1, limit: 2)
        #expect(middle.map(\.position) == [2, 3])
        #expect(middle.map(\.identifier) == [transfers[1].identifier, transfers[2].identifier])
        let none = try store.inbox(after: 4, limit: 2)
        #expect(none == [])
        try store.delivered([2, 3])
        let left = try store.inbox(after: 0, limit: 10).map(\.position)
        #expect(left == [1, 4])
    }

    @Test("Of each counterpart 1,024 transfers are remembered; the next one takes the place of its first")
    func remembered() throws {
        let other = ReceivedTransfer(
            identifier: UUID(), peer: UUID(), kind: .userInfo, payload: Data([2]),
            receivedAt: Date(timeIntervalSince1970: 6))
        let transfers = (0..<1_024).map { _ in received() }
        _ = try store.receive([other] + transfers)
        let isFirstKnown = try store.hasSeen(transfers[0].identifier, from: peer)
        #expect(isFirstKnown)
        _ = try store.receive([received()])
        let isFirstStillKnown = try store.hasSeen(transfers[0].identifier, from: peer)
        #expect(!isFirstStillKnown)
        let isSecondKnown = try store.hasSeen(transfers[1].identifier, from: peer)
        #expect(isSecondKnown)
        let isOtherKnown = try store.hasSeen(other.identifier, from: other.peer)
        #expect(isOtherKnown)
    }

    @Test("The ledger may hold a fiftieth more than its capacity; beyond that it is cut to its capacity, oldest first")
    func ledgerCapacity() throws {
        func entries(_ count: Int) -> [LedgerEntry] {
            (0..<count).map { _ in
                LedgerEntry(
                    identifier: UUID(), direction: .outgoing, kind: .message, device: peer, bytes: 5, state: .sent)
            }
        }
        let most = entries(102)
        try store.write(LedgerBatch(most, capacity: 100))
        let count = try store.ledger(LedgerQuery()).count
        #expect(count == 102)
        let next = entries(1)
        try store.write(LedgerBatch(next, capacity: 100))
        let left = try store.ledger(LedgerQuery()).map(\.identifier)
        #expect(left == most.dropFirst(3).map(\.identifier) + next.map(\.identifier))
        // The number of entries is known from then on.
        try store.write(LedgerBatch(entries(2), capacity: 100))
        let again = try store.ledger(LedgerQuery()).count
        #expect(again == 102)
    }

    @Test("A change without a ledger entry leaves the ledger as it is")
    func noEntries() throws {
        let entries = (0..<3).map { _ in
            LedgerEntry(
                identifier: UUID(), direction: .outgoing, kind: .message, device: peer, bytes: 5, state: .sent)
        }
        try store.write(LedgerBatch(entries, capacity: 10))
        _ = try store.queue(outgoing(.userInfo))
        _ = try store.receive([received()])
        try store.delivered([1])
        try store.write(.nothing)
        let left = try store.ledger(LedgerQuery()).map(\.identifier)
        #expect(left == entries.map(\.identifier))
    }

    @Test("A watch that becomes the active one is the only one, and one that is not leaves the active one")
    func activeWatch() throws {
        var watches = ["a", "b", "c"].map { Companion(identifier: UUID(), name: $0) }
        (watches[0].isActive, watches[1].isActive) = (true, true)
        for watch in watches { try store.record(CompanionRecord(companion: watch, budget: ComplicationBudget())) }
        let active = try store.companions().map(\.companion).filter(\.isActive).map(\.name)
        #expect(active == ["b"])
        let names = try store.companions().map(\.companion.name).sorted()
        #expect(names == ["a", "b", "c"])
    }

    @Test("Messages that were under way when a process ended have failed; transfers and what had ended have not")
    func endedMessages() throws {
        func entry(_ kind: TransferKind, _ state: LedgerEntry.State) -> LedgerEntry {
            LedgerEntry(identifier: UUID(), direction: .outgoing, kind: kind, device: peer, bytes: 5, state: state)
        }
        let failing = [entry(.message, .queued), entry(.message, .sent), entry(.data, .received)]
        let staying = [
            entry(.message, .replied), entry(.data, .delivered), entry(.userInfo, .sent), entry(.context, .queued),
            entry(.complication, .received), entry(.file, .sent),
        ]
        try store.write(LedgerBatch(failing + staying, capacity: 100))
        let moment = Date(timeIntervalSince1970: 9)
        try store.endMessages("the process ended", at: moment)
        let entries = try store.ledger(LedgerQuery())
        let failed = entries.filter { $0.cause == "the process ended" }
        #expect(failed.map(\.identifier) == failing.map(\.identifier))
        #expect(failed.map(\.state) == [.failed, .failed, .failed])
        #expect(failed.map(\.endedAt) == [moment, moment, moment])
        let states = entries.suffix(staying.count).map(\.state)
        #expect(states == staying.map(\.state))
    }

    @Test("Every part of a ledger entry is kept, and a part that is unknown stays so")
    func ledgerEntry() throws {
        var full = LedgerEntry(
            identifier: UUID(), direction: .incoming, kind: .file, device: peer, bytes: 7, state: .coalesced)
        (full.cause, full.related, full.attempts) = ("why", UUID(), 3)
        full.queuedAt = Date(timeIntervalSince1970: 1)
        full.sentAt = Date(timeIntervalSince1970: 2)
        full.receivedAt = Date(timeIntervalSince1970: 3)
        full.deliveredAt = Date(timeIntervalSince1970: 4)
        full.endedAt = Date(timeIntervalSince1970: 5)
        var bare = LedgerEntry(
            identifier: UUID(), direction: .outgoing, kind: .data, device: nil, bytes: 0, state: .queued)
        try store.write(LedgerBatch([full, bare], capacity: 10))
        (full.sequence, bare.sequence) = (1, 2)
        let entries = try store.ledger(LedgerQuery())
        #expect(entries == [full, bare])
    }

    @Test("A pairing code is replaced by the next one, and gone when it is used up")
    func pairingCode() throws {
        let none = try store.pairingCode()
        #expect(none == nil)
        try store.keep(PairingCode(hash: "first"))
        var second = PairingCode(hash: "second")
        let isLeft = second.spendAttempt()
        #expect(isLeft)
        try store.keep(second)
        let kept = try store.pairingCode()
        #expect(kept == second)
        try store.keep(nil)
        let gone = try store.pairingCode()
        #expect(gone == nil)
    }

    @Test("A watch that is forgotten is gone, and the others are not")
    func forgottenWatch() throws {
        let companions = ["a", "b"].map { Companion(identifier: UUID(), name: $0) }
        for companion in companions {
            try store.record(CompanionRecord(companion: companion, budget: ComplicationBudget()))
        }
        try store.forgetCompanion(companions[0].identifier)
        let left = try store.companions().map(\.companion)
        #expect(left == [companions[1]])
    }
}
