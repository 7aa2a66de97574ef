import Configuration
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The ledger on a device's control socket")
struct DeviceLedgerTests {
    private let pair: TestPair
    /// A watch without a phone, so that what it sends only waits.
    private var watch: TestDevice { pair.companion }

    init() throws {
        pair = try TestPair()
        #expect(pair.companion.activate())
    }

    /// Sends a user info, and returns its identifier as it is in answers.
    private func transfer(_ number: Int) -> JSONValue {
        .string(watch.session.transferUserInfo(["n": number]).identifier.uuidString)
    }

    private static func identifiers(_ answer: JSONValue?) -> [JSONValue] {
        (answer?.array ?? []).compactMap { $0["identifier"] }
    }

    @Test("The ledger's latest entries are answered in their order, those that are asked for")
    func entries() throws {
        let none = try watch.ask("ledger")
        #expect(none == .array([]))
        let sent = (1...3).map { transfer($0) }
        let all = try watch.ask("ledger")
        #expect(Self.identifiers(all) == sent)
        let sequences = (all.array ?? []).compactMap { $0["sequence"] }
        try #require(sequences.count == 3)
        let afterFirst = try watch.ask("ledger", ["after": sequences[0]])
        #expect(Self.identifiers(afterFirst) == [sent[1], sent[2]])
        let beforeLast = try watch.ask("ledger", ["before": sequences[2]])
        #expect(Self.identifiers(beforeLast) == [sent[0], sent[1]])
        let last = try watch.ask("ledger", ["limit": 1])
        #expect(Self.identifiers(last) == [sent[2]])
        let one = try watch.ask("ledger", ["identifier": sent[1]])
        #expect(Self.identifiers(one) == [sent[1]])
    }

    @Test("An entry's times are RFC 3339, and times that are not known are left out")
    func times() throws {
        let transfer = watch.session.transferUserInfo(["n": 1])
        let entry = try #require(try watch.ledger(transfer.identifier))
        let queuedAt = try #require(entry.queuedAt)
        let answer = try watch.ask("ledger").array?.first
        #expect(answer?["queuedAt"] == .string(LogFormat.timestamp(queuedAt)))
        #expect(answer?["state"] == .string("queued"))
        #expect(answer?["direction"] == .string("outgoing"))
        let sentAt = answer?["sentAt"] ?? .null
        #expect(sentAt == .null)
    }

    @Test("Who waits for an entry is answered with the first one, and once")
    func waits() throws {
        let answers = watch.asking("ledger", ["wait": true])
        #expect(answers.all.isEmpty)
        let first = transfer(1)
        answers.expect { !$0.isEmpty }
        #expect(Self.identifiers(answers.all.first) == [first])
        let second = transfer(2)
        let both = try watch.ask("ledger", ["wait": true])
        #expect(Self.identifiers(both) == [first, second])
        #expect(answers.all.count == 1)
    }

    @Test("Who would wait, but need not, is answered at once, and not again when the ledger changes")
    func needNotWait() throws {
        let first = transfer(0)
        let answers = watch.asking("ledger", ["wait": true])
        let given = answers.all.map { Self.identifiers($0) }
        #expect(given == [[first]])
        for number in 1...5 {
            let last = try watch.ask("ledger", ["limit": 1]).array?.first?["sequence"] ?? .null
            let next = watch.asking("ledger", ["wait": true, "after": last])
            #expect(next.all.isEmpty)
            let sent = transfer(number)
            next.expect { !$0.isEmpty }
            #expect(Self.identifiers(next.all.first) == [sent])
        }
        #expect(answers.all.count == 1)
    }

    @Test("A ledger that cannot be read is an error that names its file, also for who waits", arguments: [false, true])
    func unreadable(_ waits: Bool) throws {
        let path = watch.configuration.stateDirectory + "/session.sqlite"
        try FileManager.default.removeItem(atPath: path)
        let answers = watch.asking("ledger", ["wait": .boolean(waits)])
        answers.expect { !$0.isEmpty }
        #expect(answers.all.count == 1)
        #expect(answers.all.first?["code"] == .integer(3))
        let message = answers.all.first?["message"]?.string ?? ""
        #expect(message.contains("session.sqlite"), "\(message)")
    }
}
