import DeviceEngine
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import Storage
import TestSupport
import Testing

@testable import DeviceShell
@testable import SessionStorage
@testable import WatchConnectivity

@Suite("The transfers of an earlier run")
struct EarlierTransfersTests {
    private static let damaged = Data("no archive".utf8)

    private let scratch: Scratch
    private let home: DeviceHome
    private let objects = TransferObjects()
    private let log = Collector<LogRecord>()
    private let peer = UUID()

    init() throws {
        scratch = try Scratch()
        let configuration = DeviceConfiguration(
            device: Device(identifier: UUID(), role: .host, name: "phone"), socketPath: scratch.path("link"),
            stateDirectory: scratch.path("state"))
        let settings = configuration.shellSettings
        let queue = DispatchQueue(label: "test.store")
        home = try queue.sync { try DeviceHome(settings, queue: queue) }
    }

    private func queue(_ payload: Data) throws -> UUID {
        let transfer = OutgoingTransfer(
            identifier: UUID(), peer: peer, kind: .userInfo, payload: payload, queuedAt: Date())
        _ = try home.store.queue(transfer)
        return transfer.identifier
    }

    /// Returns the identifiers of the transfers that can still be sent.
    private func load() throws -> [UUID] {
        let logger = Logger(service: "test") { [log] in log.add($0) }
        return try home.queue.sync { try objects.load(home, logger) { _ in }.map(\.identifier) }
    }

    private func execute(_ sql: String) throws {
        try home.store.file.use { database throws(DatabaseError) in try database.execute(sql) }
    }

    @Test("One with a damaged payload has failed for that reason, and is forgotten; the others are kept in order")
    func damaged() throws {
        let payload = try MessagePayload.data(["n": 1])
        let first = try queue(payload)
        let broken = try queue(Self.damaged)
        let last = try queue(payload)
        let loaded = try load()
        #expect(loaded == [first, last])
        #expect(objects.userInfos(peer).map(\.identifier) == [first, last])
        let stored = try home.store.outgoing().map(\.identifier)
        #expect(stored == [first, last])
        let entries = try home.ledger.entries(LedgerQuery())
        #expect(entries.map(\.identifier) == [broken])
        #expect(entries.map(\.state) == [.failed])
        let cause = entries.first?.cause ?? ""
        #expect(cause.hasPrefix("the stored transfer is damaged: "), "\(cause)")
        let failures = log.all.filter { $0.event == .transferFailed }.compactMap(\.fields.first)
        #expect(failures == [.package(broken)])
    }

    @Test("The contexts of both directions are those of the counterpart again, and no transfers of the app")
    func context() throws {
        let payload = try MessagePayload.data(["n": 1])
        let transfer = OutgoingTransfer(
            identifier: UUID(), peer: peer, kind: .context, payload: payload, queuedAt: Date())
        _ = try home.store.queue(transfer)
        let received = ReceivedTransfer(
            identifier: UUID(), peer: peer, kind: .context, payload: Data([2]), receivedAt: Date())
        _ = try home.store.receive([received])
        let loaded = try load()
        #expect(loaded == [transfer.identifier])
        #expect(objects.sentContext(peer) == payload)
        #expect(objects.receivedContext(peer) == Data([2]))
        #expect(objects.count == 0)
    }

    @Test("One that cannot be forgotten is an error, and is still stored")
    func unforgettable() throws {
        let broken = try queue(Self.damaged)
        try execute("CREATE TRIGGER refusal BEFORE DELETE ON outgoing BEGIN SELECT RAISE(ABORT, 'refused'); END")
        let error = #expect(throws: DatabaseError.self) { try load() }
        #expect(error?.detail == "refused")
        let stored = try home.store.outgoing().map(\.identifier)
        #expect(stored == [broken])
        try execute("DROP TRIGGER refusal")
        let loaded = try load()
        #expect(loaded == [])
        let left = try home.store.outgoing()
        #expect(left.isEmpty)
    }
}
