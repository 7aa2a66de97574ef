import DeviceEngine
import Dispatch
import Foundation
import LinkProtocol
import SessionStorage
import Storage
import TestSupport
import Testing

@testable import DeviceShell
@testable import WatchConnectivity

@Suite("The store of a device")
struct DeviceStoreTests {
    private typealias Verb = @Sendable (inout DeviceEngine, Moment) -> Void

    private let scratch: Scratch
    private let home: DeviceHome
    private let store: DeviceStore
    private let verbs = Collector<Verb>()
    private let peer = UUID()

    init() throws {
        scratch = try Scratch()
        let settings = DeviceConfiguration(
            device: Device(identifier: UUID(), role: .companion, name: "watch"), socketPath: scratch.path("link"),
            stateDirectory: scratch.path("state")
        ).shellSettings
        let queue = DispatchQueue(label: "test.store")
        home = try queue.sync { try DeviceHome(settings, queue: queue) }
        store = DeviceStore(home, app: { nil }, report: { [verbs] in verbs.add($0) })
    }

    private func makeTransfer(_ kind: TransferKind = .userInfo, to peer: UUID? = nil) -> OutgoingTransfer {
        OutgoingTransfer(
            identifier: UUID(), peer: peer ?? self.peer, kind: kind, payload: Data([1, 2, 3]), queuedAt: Date())
    }

    private func keep(_ transfer: OutgoingTransfer) throws { try store.keep(transfer) { _, _ in } }

    /// Has the next use of the database fail.
    private func breakDatabase() throws {
        try FileManager.default.removeItem(atPath: DeviceDirectory(scratch.path("state")).database)
    }

    /// Returns the reports of a request.
    private func reports(_ request: () -> Void) -> [Verb] {
        let former = verbs.all.count
        request()
        store.catchUp()
        return Array(verbs.all.dropFirst(former))
    }

    /// Returns the number of reports of a request, their effects, and whether they ask for another attempt.
    private func told(_ request: () -> Void) -> (count: Int, effects: [DeviceEngine.Effect], isRetried: Bool) {
        let presence = PresenceStateMachine(
            role: .companion, policy: CompanionPolicy(), state: DeviceState(), companions: [])
        var engine = DeviceEngine(
            presence, times: LinkTimes(), retry: .delivery, faults: FaultStateMachine(Chance(seed: 1)), seed: 1)
        var effects: [DeviceEngine.Effect] = []
        let verbs = reports(request)
        for report in verbs { report(&engine, Moment(MonotonicTime(nanoseconds: 0), Date())) }
        _ = engine.takeEffects(into: &effects)
        return (verbs.count, effects, engine.nextDeadline != nil)
    }

    private func ledger() throws -> [LedgerEntry] { try home.ledger.entries(LedgerQuery()) }

    @Test("A kept transfer has its position, and is in the ledger with the size of its payload or file")
    func kept() throws {
        let kept = Collector<OutgoingTransfer>()
        let file = OutgoingTransfer(
            identifier: UUID(), peer: .unknownPeer, kind: .file, payload: Data([1]),
            file: FileStamp(path: "/f", size: 700, modified: 0, inode: 0), queuedAt: Date())
        let info = makeTransfer()
        for transfer in [info, file] {
            try store.keep(transfer) { transfer, replaced in
                #expect(replaced == nil)
                kept.add(transfer)
            }
        }
        #expect(kept.all.map(\.identifier) == [info.identifier, file.identifier])
        #expect(kept.all.map(\.position) == [1, 2])
        let entries = try ledger()
        #expect(entries.map(\.identifier) == [info.identifier, file.identifier])
        #expect(entries.map(\.state) == [.queued, .queued])
        #expect(entries.map(\.bytes) == [3, 700])
        #expect(entries.map(\.device) == [peer, nil])
    }

    @Test("A context that is replaced is named, and the ledger says by which")
    func replaced() throws {
        let (former, newer) = (makeTransfer(.context), makeTransfer(.context))
        let replacements = Collector<UUID?>()
        for context in [former, newer] { try store.keep(context) { replacements.add($1) } }
        #expect(replacements.all == [nil, former.identifier])
        let entries = try ledger()
        #expect(entries.map(\.identifier) == [former.identifier, newer.identifier])
        #expect(entries.map(\.state) == [.coalesced, .queued])
        #expect(entries.map(\.related) == [newer.identifier, nil])
    }

    @Test("A transfer that cannot be kept is an error, and nobody is told that it was kept")
    func notKept() throws {
        try breakDatabase()
        let kept = Collector<Bool>()
        #expect(throws: DatabaseError.self) { try store.keep(makeTransfer()) { _, _ in kept.add(true) } }
        #expect(kept.all == [])
    }

    @Test("What is to be sent is read; what cannot be read is reported as well")
    func loaded() throws {
        try keep(makeTransfer())
        let good = reports { store.load([UUID()], batch: 0) }
        #expect(good.count == 1)
        try breakDatabase()
        let bad = reports { store.load([UUID()], batch: 0) }
        #expect(bad.count == 1)
    }

    @Test("Recorded ends are in the database and in the ledger, with the reason of a failure")
    func recorded() throws {
        let (arrived, refused) = (makeTransfer(), makeTransfer())
        for transfer in [arrived, refused] { try keep(transfer) }
        let endings = [
            TransferStateMachine.Ending(identifier: arrived.identifier, outcome: .replied),
            TransferStateMachine.Ending(identifier: refused.identifier, outcome: .refused(reason: "no"), code: 7014),
        ]
        let report = reports { store.record(endings) }
        #expect(report.count == 1)
        let ends = try home.store.ended()
        #expect(ends.map(\.identifier) == [arrived.identifier, refused.identifier])
        #expect(ends.map(\.ending?.code) == [nil, 7014])
        let entries = try ledger()
        #expect(entries.map(\.state) == [.delivered, .failed])
        #expect(entries.map(\.cause) == [nil, "no"])
        try breakDatabase()
        let bad = reports { store.record(endings) }
        #expect(bad.count == 1)
    }

    @Test("The ends that the delegate does not know are read, and read again later if that fails")
    func ended() throws {
        let ended = makeTransfer()
        for transfer in [ended, makeTransfer()] { try keep(transfer) }
        let ending = OutgoingTransfer.Ending(code: nil, reason: nil)
        try home.store.settle([(identifier: ended.identifier, ending: ending)])
        let good = told { store.readEnded() }
        #expect(good.effects == [.tellEnd(ended.identifier, ending)])
        #expect(!good.isRetried)
        try breakDatabase()
        let bad = told { store.readEnded() }
        #expect(bad.effects == [])
        #expect(bad.isRetried)
    }

    @Test("Transfers are forgotten with their notes, and again later if that fails")
    func forgotten() throws {
        let (gone, left) = (makeTransfer(), makeTransfer())
        for transfer in [gone, left] { try keep(transfer) }
        let note = LedgerNote(
            gone.identifier, .outgoing, .userInfo, device: nil, .failed, at: Date(), cause: "cancelled")
        let good = told { store.forget([gone.identifier], [note]) }
        #expect(good.count == 1)
        #expect(!good.isRetried)
        let transfers = try home.store.outgoing().map(\.identifier)
        #expect(transfers == [left.identifier])
        let cause = try ledger().first { $0.identifier == gone.identifier }?.cause
        #expect(cause == "cancelled")
        try breakDatabase()
        let bad = told { store.forget([left.identifier], [note]) }
        #expect(bad.count == 1)
        #expect(bad.isRetried)
    }

    @Test("What waited for the first watch is assigned to it, which is reported only if it succeeds")
    func adopted() throws {
        try keep(makeTransfer(to: .unknownPeer))
        let good = reports { store.adopt(peer) }
        #expect(good.count == 1)
        let peers = try home.store.outgoing().map(\.peer)
        #expect(peers == [peer])
        try breakDatabase()
        let bad = reports { store.adopt(peer) }
        #expect(bad.isEmpty)
    }

    @Test("A complication transfer becomes a plain one, and contexts of a counterpart are forgotten, without a report")
    func demoted() throws {
        let (urgent, context) = (makeTransfer(.complication), makeTransfer(.context))
        for transfer in [urgent, context] { try keep(transfer) }
        let report = reports {
            store.demote(urgent.identifier)
            store.forgetContexts(of: peer)
        }
        #expect(report.isEmpty)
        let kind = try home.store.outgoing(urgent.identifier)?.kind
        #expect(kind == .userInfo)
        let sent = try home.store.contexts().sent
        #expect(sent == [:])
    }

    @Test("What the delegate was given is removed with its notes; the inbox is read again later if that fails")
    func inbox() throws {
        let arrivals = (0..<2).map { _ in
            ReceivedTransfer(
                identifier: UUID(), peer: peer, kind: .userInfo, payload: Data([1]), receivedAt: Date())
        }
        _ = try home.store.receive(arrivals)
        let note = LedgerNote(arrivals[0].identifier, .incoming, .userInfo, device: nil, .delivered, at: Date())
        let removed = reports { store.remove([1], [note]) }
        #expect(removed.count == 1)
        let left = try home.store.inbox(after: 0, limit: 10).map(\.identifier)
        #expect(left == [arrivals[1].identifier])
        let noted = try ledger().map(\.identifier)
        #expect(noted == [arrivals[0].identifier])
        let good = told { store.readInbox(after: 0, limit: 10) }
        #expect(good.count == 1)
        #expect(!good.isRetried)
        try breakDatabase()
        let bad = told { store.readInbox(after: 0, limit: 10) }
        #expect(bad.count == 1)
        #expect(bad.isRetried)
        // They are delivered again after a restart: at least once.
        let kept = reports { store.remove([2], []) }
        #expect(kept.count == 1)
    }
}
