import DeviceEngine
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import SessionStorage
@testable import Storage

/// A change of the session store that the database refuses, because of one of its statements.
struct RefusedChange: Sendable, CustomTestStringConvertible {
    static let peer = UUID()
    static let identifier = UUID()

    /// What a trigger refuses: “INSERT ON outgoing”.
    let statement: String
    let change: @Sendable (SessionStore) throws -> Void
    /// Makes what the change needs.
    private(set) var prepare: @Sendable (SessionStore) throws -> Void = { _ in }

    init(_ statement: String, _ change: @escaping @Sendable (SessionStore) throws -> Void) {
        self.statement = statement
        self.change = change
    }

    func after(_ prepare: @escaping @Sendable (SessionStore) throws -> Void) -> RefusedChange {
        var refused = self
        refused.prepare = prepare
        return refused
    }

    var testDescription: String { statement }

    static func outgoing(_ kind: TransferKind = .userInfo, _ identifier: UUID = Self.identifier) -> OutgoingTransfer {
        OutgoingTransfer(
            identifier: identifier, peer: peer, kind: kind, payload: Data([1]),
            queuedAt: Date(timeIntervalSince1970: 5))
    }

    static func received(_ kind: TransferKind = .userInfo, _ identifier: UUID = Self.identifier) -> ReceivedTransfer {
        ReceivedTransfer(
            identifier: identifier, peer: peer, kind: kind, payload: Data([2]),
            receivedAt: Date(timeIntervalSince1970: 6))
    }

    static func entry(_ identifier: UUID = Self.identifier) -> LedgerEntry {
        LedgerEntry(
            identifier: identifier, direction: .outgoing, kind: .message, device: peer, bytes: 5, state: .sent)
    }

    static func record(_ store: SessionStore, _ watch: UUID = Self.peer, isActive: Bool = false) throws {
        var companion = Companion(identifier: watch, name: "w")
        companion.isActive = isActive
        try store.record(CompanionRecord(companion: companion, budget: ComplicationBudget(day: 1, used: 0)))
    }

    static let outgoingChanges: [RefusedChange] = [
        RefusedChange("INSERT ON outgoing") { _ = try $0.queue(outgoing()) },
        RefusedChange("INSERT ON contexts") { _ = try $0.queue(outgoing(.context)) },
        RefusedChange("DELETE ON outgoing") { _ = try $0.queue(outgoing(.context, UUID())) }
            .after { _ = try $0.queue(outgoing(.context)) },
        RefusedChange("DELETE ON outgoing") { try $0.forget([identifier]) }
            .after { _ = try $0.queue(outgoing()) },
        RefusedChange("UPDATE ON outgoing") {
            try $0.settle([(identifier, OutgoingTransfer.Ending(code: nil, reason: nil))])
        }
        .after { _ = try $0.queue(outgoing()) },
        RefusedChange("UPDATE ON outgoing") { try $0.demote(identifier) }
            .after { _ = try $0.queue(outgoing(.complication)) },
        RefusedChange("UPDATE ON outgoing") { try $0.adopt(UUID(), from: peer) }
            .after { _ = try $0.queue(outgoing()) },
        RefusedChange("UPDATE ON contexts") { try $0.adopt(UUID(), from: peer) }
            .after { _ = try $0.queue(outgoing(.context)) },
        RefusedChange("DELETE ON contexts") { try $0.forgetContexts(of: peer) }
            .after { _ = try $0.queue(outgoing(.context)) },
    ]

    static let otherChanges: [RefusedChange] = [
        RefusedChange("INSERT ON seen") { _ = try $0.receive([received()]) },
        RefusedChange("INSERT ON inbox") { _ = try $0.receive([received()]) },
        RefusedChange("INSERT ON contexts") { _ = try $0.receive([received(.context)]) },
        RefusedChange("DELETE ON inbox") { _ = try $0.receive([received(.context, UUID())]) }
            .after { _ = try $0.receive([received(.context)]) },
        RefusedChange("DELETE ON inbox") { try $0.delivered([1]) }
            .after { _ = try $0.receive([received()]) },
        RefusedChange("INSERT ON companions") { try record($0) },
        RefusedChange("DELETE ON companions") { try $0.forgetCompanion(peer) }
            .after { try record($0) },
        RefusedChange("INSERT ON companions") { try record($0, isActive: true) },
        RefusedChange("UPDATE ON companions") { try record($0, UUID(), isActive: true) }
            .after { try record($0, isActive: true) },
        RefusedChange("DELETE ON seen") { _ = try $0.receive([received(.userInfo, UUID())]) }
            .after { store in _ = try store.receive((0..<1_024).map { _ in received(.userInfo, UUID()) }) },
        RefusedChange("INSERT ON ledger") { try $0.write(LedgerBatch([entry()], capacity: 10)) },
        RefusedChange("DELETE ON ledger") { try $0.write(LedgerBatch([entry()], capacity: 10)) }
            .after { try $0.write(LedgerBatch([entry()], capacity: 10)) },
        RefusedChange("DELETE ON ledger") { try $0.write(LedgerBatch([entry(UUID())], capacity: 1)) }
            .after { try $0.write(LedgerBatch([entry()], capacity: 1)) },
        RefusedChange("UPDATE ON ledger") { try $0.endMessages("the end", at: Date()) }
            .after { try $0.write(LedgerBatch([entry()], capacity: 10)) },
        RefusedChange("INSERT ON pairing_code") { try $0.keep(PairingCode(hash: "h")) },
        RefusedChange("DELETE ON pairing_code") { try $0.keep(nil) }
            .after { try $0.keep(PairingCode(hash: "h")) },
    ]
}

/// Nobody is told that something is stored if one of the statements for it failed.
@Suite("Refused changes of the session store")
struct RefusedChangeTests {
    private let scratch: Scratch
    private let store: SessionStore

    init() throws {
        scratch = try Scratch()
        store = SessionStore(path: scratch.path("session.sqlite"))
    }

    @Test("A statement that fails is an error of the change", arguments: RefusedChange.outgoingChanges)
    func outgoing(_ refused: RefusedChange) throws { try check(refused) }

    @Test("So it is for what arrives, watches, the ledger and the pairing code", arguments: RefusedChange.otherChanges)
    func other(_ refused: RefusedChange) throws { try check(refused) }

    private func check(_ refused: RefusedChange) throws {
        try refused.prepare(store)
        let sql = "CREATE TRIGGER refusal BEFORE \(refused.statement) BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try store.file.use { database throws(DatabaseError) in try database.execute(sql) }
        let error = #expect(throws: DatabaseError.self) { try refused.change(store) }
        #expect(error?.detail == "refused")
        try store.file.use { database throws(DatabaseError) in try database.execute("DROP TRIGGER refusal") }
        #expect(throws: Never.self) { try refused.change(store) }
    }

    @Test("What a refused change did before the statement that failed is undone")
    func undone() throws {
        let former = RefusedChange.outgoing(.context)
        _ = try store.queue(former)
        let sql = "CREATE TRIGGER refusal BEFORE INSERT ON outgoing BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try store.file.use { database throws(DatabaseError) in try database.execute(sql) }
        #expect(throws: DatabaseError.self) { try store.queue(RefusedChange.outgoing(.context, UUID())) }
        let waiting = try store.outgoing().map(\.identifier)
        #expect(waiting == [former.identifier])
    }
}
