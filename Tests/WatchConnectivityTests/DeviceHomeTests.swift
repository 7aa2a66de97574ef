import Configuration
import DeviceEngine
import Dispatch
import Foundation
import LinkProtocol
import SessionStorage
import TestSupport
import Testing

@testable import DeviceShell
@testable import WatchConnectivity

@Suite("The home of a device")
struct DeviceHomeTests {
    private let scratch: Scratch
    private let settings: ShellSettings
    private let directory: DeviceDirectory

    init() throws {
        scratch = try Scratch()
        let configuration = DeviceConfiguration(
            device: Device(identifier: UUID(), role: .host, name: "phone"), socketPath: scratch.path("link"),
            stateDirectory: scratch.path("state"))
        settings = configuration.shellSettings
        directory = DeviceDirectory(configuration.stateDirectory)
    }

    private func open() throws -> DeviceHome {
        let queue = DispatchQueue(label: "test.store")
        return try queue.sync { try DeviceHome(settings, queue: queue) }
    }

    private func close(_ home: DeviceHome) { home.queue.sync { home.close() } }

    /// Uses the database of a device that does not run.
    private func before<Result>(_ use: (SessionStore) throws -> Result) throws -> Result {
        try directory.create()
        let store = SessionStore(path: directory.database)
        defer { store.close() }
        return try use(store)
    }

    @Test("Two do not use one directory at the same time; when one has closed or released it, the other may")
    func inUse() throws {
        let first = try open()
        let error = #expect(throws: DeviceHome.InUse.self) { try open() }
        #expect(error?.path == directory.path)
        let text = error?.description ?? ""
        #expect(text.hasPrefix("\(directory.path) is in use by another process: "))
        close(first)
        let second = try open()
        second.release()
        let third = try open()
        close(third)
    }

    @Test("A directory that cannot be created is an error")
    func noDirectory() throws {
        _ = try scratch.write("state", "text")
        let error = #expect(throws: (any Error).self) { try open() }
        let text = error.map { "\($0)" }
        #expect(text == "create \(directory.path): Not a directory")
    }

    @Test("Of the directories of watches only those of paired ones with the app are kept")
    func watchDirectories() throws {
        var companions = ["kept", "unpaired", "without the app"].map { Companion(identifier: UUID(), name: $0) }
        companions[1].isPaired = false
        companions[2].isAppInstalled = false
        try before { store in
            for companion in companions {
                try store.record(CompanionRecord(companion: companion, budget: ComplicationBudget()))
            }
        }
        for watch in companions.map(\.identifier) + [UUID()] {
            try PrivateDirectory.create(directory.watch(watch))
        }
        let home = try open()
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.watches)
        #expect(left == [companions[0].identifier.uuidString])
        let known = Set(home.companions.map(\.companion.identifier))
        #expect(known == Set(companions.map(\.identifier)))
        close(home)
    }

    @Test("A message that was under way when the process ended has failed, and the ledger says why")
    func endedMessage() throws {
        let message = LedgerEntry(
            identifier: UUID(), direction: .outgoing, kind: .message, device: nil, bytes: 1, state: .sent)
        try before { try $0.write(LedgerBatch([message], capacity: 10)) }
        let home = try open()
        let entries = try home.ledger.entries(LedgerQuery())
        #expect(entries.map(\.identifier) == [message.identifier])
        #expect(entries.map(\.state) == [.failed])
        #expect(entries.map(\.cause) == ["the process ended before the answer arrived"])
        close(home)
    }

    @Test("What waits to be written is written when it closes")
    func closed() throws {
        let home = try open()
        let message = UUID()
        home.queue.sync {
            home.ledger.note(LedgerNote(message, .outgoing, .message, device: nil, .sent, at: Date()))
            home.close()
        }
        let written = try before { try $0.ledger(LedgerQuery()).map(\.identifier) }
        #expect(written == [message])
    }

    @Test("A transfer that is forgotten has failed for the reason that is given, and no other is forgotten")
    func forgotten() throws {
        let home = try open()
        let transfers = (0..<2).map { _ in
            OutgoingTransfer(
                identifier: UUID(), peer: .unknownPeer, kind: .userInfo, payload: Data([1]), queuedAt: Date())
        }
        for transfer in transfers { _ = try home.store.queue(transfer) }
        try home.queue.sync { try home.forget(transfers[0], cause: "damaged") }
        let left = try home.store.outgoing().map(\.identifier)
        #expect(left == [transfers[1].identifier])
        let entries = try home.ledger.entries(LedgerQuery())
        #expect(entries.map(\.identifier) == [transfers[0].identifier])
        #expect(entries.map(\.state) == [.failed])
        #expect(entries.map(\.cause) == ["damaged"])
        #expect(entries.map(\.device) == [nil])
        close(home)
    }
}
