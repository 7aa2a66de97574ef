import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Reading the ledger of a device")
struct LedgerReadingTests {
    private let scratch: Scratch
    private let device: TestDevice

    init() throws {
        scratch = try Scratch()
        device = TestDevice(.host, in: scratch) { $0.payloads.context = 1_000 }
        #expect(device.activate())
    }

    @Test("The latest entries are in the order of their changes, within the bounds that are asked for")
    func bounds() throws {
        let simulator = device.session.simulator
        let transfers = (0..<4).map { device.session.transferUserInfo(["n": $0]).identifier }
        let all = try simulator.ledger()
        try #require(all.map(\.identifier) == transfers)
        let (second, fourth) = (all[1].sequence, all[3].sequence)
        let after = try simulator.ledger(after: second).map(\.identifier)
        #expect(after == [transfers[2], transfers[3]])
        let before = try simulator.ledger(before: fourth).map(\.identifier)
        #expect(before == [transfers[0], transfers[1], transfers[2]])
        let between = try simulator.ledger(after: second, before: fourth).map(\.identifier)
        #expect(between == [transfers[2]])
        let latest = try simulator.ledger(limit: 2).map(\.identifier)
        #expect(latest == [transfers[2], transfers[3]])
        let one = try simulator.ledger(identifier: transfers[1]).map(\.identifier)
        #expect(one == [transfers[1]])
        let none = try simulator.ledger(identifier: UUID()).map(\.identifier)
        #expect(none == [])
    }

    @Test("Whoever waits for a change is called once")
    func changed() {
        let calls = Collector<Bool>()
        device.session.simulator.whenLedgerChanges { calls.add(true) }
        #expect(calls.all == [])
        for number in 1...2 { device.session.transferUserInfo(["n": number]) }
        calls.expect { !$0.isEmpty }
        #expect(calls.all == [true])
    }

    @Test("A context that is refused is in it, with the reason")
    func refusedContext() throws {
        #expect(throws: WCError.self) { try device.session.updateApplicationContext(["d": Data(count: 2_000)]) }
        let entries = try device.session.simulator.ledger()
        #expect(entries.map(\.kind) == ["context"])
        #expect(entries.map(\.direction) == [.outgoing])
        #expect(entries.map(\.state) == [.failed])
        let cause = entries.first?.cause ?? ""
        #expect(cause.hasPrefix("The payload is too large: "))
        #expect(cause.hasSuffix(" bytes; the limit is 1000"))
        #expect(device.session.applicationContext.isEmpty)
    }

    @Test("A transfer that is refused is in it, with the kind and the reason")
    func refusedTransfer() throws {
        let info = device.session.transferUserInfo(["u": UUID()])
        let file = device.session.transferFile(URL(filePath: scratch.path("none")), metadata: nil)
        let entries = try device.session.simulator.ledger()
        #expect(entries.map(\.identifier) == [info.identifier, file.identifier])
        #expect(entries.map(\.kind) == ["user info", "file"])
        #expect(entries.map(\.state) == [.failed, .failed])
        let causes = entries.compactMap(\.cause).map { $0.prefix { $0 != ":" } }
        #expect(causes == ["The payload contains a value that is not a property-list type", "The file cannot be read"])
    }

    @Test("A session without a device has none, and one that has ended neither")
    func without() throws {
        let none = try WCSession().simulator.ledger()
        #expect(none == [])
        device.session.transferUserInfo(["n": 1])
        #expect(device.end())
        let ended = try device.session.simulator.ledger()
        #expect(ended == [])
    }
}
