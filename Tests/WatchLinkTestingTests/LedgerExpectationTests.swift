import Foundation
import Testing

@testable import WatchLinkTesting

@Suite("What an expectation counts")
struct LedgerExpectationTests {
    private static func expectation(
        _ content: SentContent, _ end: LedgerExpectation.End, _ state: LedgerEntry.State, _ times: any ExpectedTimes = 1
    ) -> LedgerExpectation {
        LedgerExpectation(content: content, side: .phone, end: end, state: state, times: times.expectedTimes)
    }

    private static func entry(
        _ kind: TransferKind, _ direction: LedgerEntry.Direction, _ states: LedgerEntry.State...
    ) -> LedgerEntry {
        var entry = LedgerEntry(
            identifier: UUID(), direction: direction, kind: kind, device: nil, bytes: 1, state: states[0])
        for state in states { entry.become(state, at: Date()) }
        return entry
    }

    @Test("Each content has its own entries; a reply those of messages of both forms")
    func contents() {
        let outgoing = TransferKind.allCases.map { Self.entry($0, .outgoing, .queued) }
        let incoming = TransferKind.allCases.map { Self.entry($0, .incoming, .received) }
        func found(_ content: SentContent, _ end: LedgerExpectation.End) -> [String] {
            Self.expectation(content, end, .delivered).entries(of: outgoing + incoming).map {
                "\($0.direction) \($0.kind)"
            }
        }
        #expect(found(.message, .sender) == ["outgoing message"])
        #expect(found(.messageData, .sender) == ["outgoing data"])
        #expect(found(.applicationContext, .receiver) == ["incoming context"])
        #expect(found(.userInfo, .receiver) == ["incoming user info"])
        #expect(found(.complicationUserInfo, .sender) == ["outgoing complication"])
        #expect(found(.file, .sender) == ["outgoing file"])
        #expect(found(.reply, .sender) == ["outgoing message", "outgoing data"])
    }

    @Test("A sender is asked in its own ledger, except for what only the receiver knows; a reply where its message is")
    func ledgers() {
        #expect(Self.expectation(.file, .sender, .delivered).ledger == .phone)
        #expect(Self.expectation(.file, .sender, .received).ledger == .watch)
        #expect(Self.expectation(.file, .receiver, .delivered).ledger == .phone)
        #expect(Self.expectation(.reply, .sender, .sent).ledger == .phone)
        #expect(Self.expectation(.reply, .sender, .delivered).ledger == .watch)
        #expect(Self.expectation(.reply, .receiver, .delivered).ledger == .phone)
    }

    @Test("An entry counts for the states that it has passed")
    func passed() {
        let replied = Self.entry(.message, .outgoing, .sent, .delivered, .replied)
        for state in [LedgerEntry.State.sent, .delivered, .replied] {
            #expect(Self.expectation(.message, .sender, state).counts(replied), "\(state)")
        }
        for state in [LedgerEntry.State.failed, .coalesced] {
            #expect(!Self.expectation(.message, .sender, state).counts(replied), "\(state)")
        }
        let queued = Self.entry(.userInfo, .outgoing, .queued)
        #expect(Self.expectation(.userInfo, .sender, .queued).counts(queued))
        #expect(!Self.expectation(.userInfo, .sender, .sent).counts(queued))
        let failed = Self.entry(.userInfo, .outgoing, .queued, .sent, .failed)
        #expect(Self.expectation(.userInfo, .sender, .sent).counts(failed))
        #expect(!Self.expectation(.userInfo, .sender, .delivered).counts(failed))
        #expect(Self.expectation(.userInfo, .sender, .failed).counts(failed))
        let received = Self.entry(.userInfo, .incoming, .received)
        #expect(Self.expectation(.userInfo, .receiver, .received).counts(received))
        #expect(!Self.expectation(.userInfo, .receiver, .delivered).counts(received))
        let answered = Self.entry(.message, .incoming, .received, .replied)
        #expect(Self.expectation(.reply, .sender, .sent).counts(answered))
        let unanswered = Self.entry(.message, .incoming, .received, .delivered)
        #expect(!Self.expectation(.reply, .sender, .sent).counts(unanswered))
    }

    /// Returns an entry that has a single time, of no importance if none is named.
    private static func timed(
        _ state: LedgerEntry.State, _ direction: LedgerEntry.Direction = .outgoing,
        _ time: WritableKeyPath<LedgerEntry, Date?> = \.endedAt
    ) -> LedgerEntry {
        var entry = LedgerEntry(
            identifier: UUID(), direction: direction, kind: .userInfo, device: nil, bytes: 1, state: state)
        entry[keyPath: time] = Date()
        return entry
    }

    @Test("An entry counts by its state or by the time of an earlier one; a failed one by its times alone")
    func times() {
        func counts(_ state: LedgerEntry.State, _ entry: LedgerEntry) -> Bool {
            let end: LedgerExpectation.End = entry.direction == .outgoing ? .sender : .receiver
            return Self.expectation(.userInfo, end, state).counts(entry)
        }
        #expect(counts(.queued, Self.timed(.queued)))
        #expect(counts(.queued, Self.timed(.sent, .outgoing, \.queuedAt)))
        #expect(!counts(.queued, Self.timed(.sent)))
        #expect(counts(.sent, Self.timed(.sent)))
        #expect(counts(.sent, Self.timed(.delivered)))
        #expect(counts(.sent, Self.timed(.failed, .outgoing, \.sentAt)))
        #expect(!counts(.sent, Self.timed(.failed)))
        #expect(counts(.received, Self.timed(.received, .incoming)))
        #expect(counts(.received, Self.timed(.delivered, .incoming)))
        #expect(counts(.received, Self.timed(.failed, .incoming, \.receivedAt)))
        #expect(!counts(.received, Self.timed(.failed, .incoming)))
        #expect(counts(.delivered, Self.timed(.delivered)))
        #expect(counts(.delivered, Self.timed(.replied)))
        #expect(counts(.delivered, Self.timed(.failed, .outgoing, \.deliveredAt)))
        #expect(!counts(.delivered, Self.timed(.failed)))
    }

    @Test("What no ledger can hold counts no entry, and fails at once with the reason")
    func refused() async throws {
        let never = Self.expectation(.file, .receiver, .sent)
        let entry = Self.entry(.file, .incoming, .received)
        #expect(never.ledger == nil)
        #expect(never.entries(of: [entry]) == [])
        #expect(!never.counts(entry))
        let negative = Self.expectation(.file, .sender, .sent, -1)
        let error = try await #require(throws: LedgerMismatch.self) {
            try await ChangeSignal().expect(negative, within: .seconds(600), at: CallSite("Tests/A.swift", 3)) { _ in
                []
            }
        }
        #expect(error.description.hasPrefix("A.swift:3: "), "\(error)")
        #expect(error.description.hasSuffix("can never hold: it expects -1 times; use 0 or more"), "\(error)")
    }

    @Test("Of more than twenty entries, the last twenty are listed, and the others counted")
    func listed() {
        let expectation = Self.expectation(.file, .sender, .delivered)
        let cases: [(count: Int, rest: [String])] = [(20, []), (21, ["    phone: and 1 earlier ones"])]
        for (count, rest) in cases {
            let entries = (1...count).map { _ in Self.entry(.file, .outgoing, .queued) }
            let error = LedgerMismatch(expectation, "there are some", entries, at: CallSite("Tests/A.swift", 3), [])
            let lines = error.description.split(separator: "\n").map(String.init)
            #expect(lines.count { $0.hasPrefix("    not counted: phone → file ") } == 20, "\(error)")
            #expect(lines.filter { $0.contains("earlier") } == rest, "\(error)")
            #expect(error.found == entries)
        }
    }

    @Test("What no ledger can ever hold is refused, with what to ask in its place")
    func impossible() {
        for state in [LedgerEntry.State.queued, .failed, .coalesced] {
            let obstacle = Self.expectation(.reply, .sender, state).obstacle
            #expect(obstacle?.contains("expect its message to have failed") == true, "\(state)")
        }
        for state in [LedgerEntry.State.queued, .sent, .coalesced] {
            let obstacle = Self.expectation(.file, .receiver, state).obstacle
            #expect(obstacle?.contains("ask the sender's") == true, "\(state)")
        }
        #expect(Self.expectation(.file, .sender, .sent, -1).obstacle == "it expects -1 times; use 0 or more")
        #expect(Self.expectation(.file, .sender, .sent, 0).obstacle == nil)
    }

    @Test("It is told in words")
    func words() {
        func words(_ content: SentContent, _ times: any ExpectedTimes) -> String {
            Self.expectation(content, .sender, .sent, times).description
        }
        #expect(words(.userInfo, 1) == "exactly 1 user info from the phone, sent")
        #expect(words(.reply, 3) == "exactly 3 replies from the phone, sent")
        #expect(words(.file, 0) == "exactly 0 files from the phone, sent")
        #expect(words(.message, 2...) == "at least 2 messages from the phone, sent")
        #expect(words(.message, ...2) == "at most 2 messages from the phone, sent")
        #expect(words(.message, 2...4) == "2 to 4 messages from the phone, sent")
        let received = Self.expectation(.messageData, .receiver, .delivered).description
        #expect(received == "exactly 1 data message at the phone, delivered")
    }
}
