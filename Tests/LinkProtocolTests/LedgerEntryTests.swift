import Foundation
import LinkProtocol
import Testing

@Suite("Ledger entries")
struct LedgerEntryTests {
    @Test("An entry lists its states with their times, counts its tries, and keeps its end after a repeat")
    func life() {
        var entry = LedgerEntry(
            identifier: UUID(), direction: .outgoing, kind: .userInfo, device: nil, bytes: 1, state: .queued)
        let start = Date(timeIntervalSince1970: 0)
        entry.become(.queued, at: start)
        entry.become(.sent, at: start + 1)
        entry.become(.queued, at: start + 2, cause: "lost")
        entry.become(.sent, at: start + 3)
        entry.become(.delivered, at: start + 4)
        #expect(entry.queuedAt == start)
        #expect(entry.sentAt == start + 1)
        #expect(entry.deliveredAt == start + 4)
        #expect(entry.attempts == 2)
        #expect(entry.cause == nil)
        #expect(entry.state == .delivered)
        entry.become(.received, at: start + 5, cause: "repeat", related: entry.identifier)
        #expect(entry.state == .delivered)
        #expect(entry.attempts == 3)
    }

    @Test(
        "A replaced context stays coalesced, even if its try ends, or the next begins, at the same time",
        arguments: [LedgerEntry.State.queued, .sent], [false, true])
    func movedLate(_ late: LedgerEntry.State, isMerged: Bool) {
        var entry = LedgerEntry(
            identifier: UUID(), direction: .outgoing, kind: .context, device: nil, bytes: 1, state: .queued)
        let start = Date(timeIntervalSince1970: 0)
        entry.become(.queued, at: start)
        entry.become(.coalesced, at: start + 1, cause: "a newer one", related: UUID())
        if isMerged {
            var news = LedgerEntry(
                identifier: entry.identifier, direction: .outgoing, kind: .context, device: UUID(), bytes: 1,
                state: late)
            news.become(late, at: start + 2, cause: "the counterpart could not keep it")
            entry = entry.merging(news)
        } else {
            entry.become(late, at: start + 2, cause: "the counterpart could not keep it")
        }
        #expect(entry.state == .coalesced)
        #expect(entry.cause == "a newer one")
        #expect(entry.queuedAt == start)
        #expect(entry.sentAt == (late == .sent ? start + 2 : nil))
        #expect(entry.attempts == (late == .sent ? 1 : 0))
    }

    @Test(
        "A delegate method that returns after the end of its message only adds the time",
        arguments: [LedgerEntry.State.replied, .failed], [false, true])
    func returnedLate(_ end: LedgerEntry.State, isMerged: Bool) {
        var entry = LedgerEntry(
            identifier: UUID(), direction: .incoming, kind: .message, device: nil, bytes: 1, state: .received)
        let start = Date(timeIntervalSince1970: 0)
        entry.become(.received, at: start)
        entry.become(end, at: start + 1, cause: "its end")
        if isMerged {
            var news = LedgerEntry(
                identifier: entry.identifier, direction: .incoming, kind: .message, device: nil, bytes: 1,
                state: .delivered)
            news.become(.delivered, at: start + 2)
            entry = entry.merging(news)
        } else {
            entry.become(.delivered, at: start + 2)
        }
        #expect(entry.state == end)
        #expect(entry.cause == "its end")
        #expect(entry.endedAt == start + 1)
        #expect(entry.deliveredAt == start + 2)
        #expect(entry.attempts == 1)
    }

    @Test("A delegate method that returns before the reply delivers its message; so does a retry of a failed one")
    func returned() {
        let start = Date(timeIntervalSince1970: 0)
        let cases: [(LedgerEntry.Direction, LedgerEntry.State)] = [(.incoming, .received), (.outgoing, .failed)]
        for (direction, former) in cases {
            var entry = LedgerEntry(
                identifier: UUID(), direction: direction, kind: .message, device: nil, bytes: 1, state: former)
            entry.become(former, at: start, cause: "before")
            entry.become(.delivered, at: start + 1)
            #expect(entry.state == .delivered, "\(direction)")
            #expect(entry.cause == nil, "\(direction)")
            #expect(entry.deliveredAt == start + 1, "\(direction)")
        }
    }

    @Test("Later news keep the first times, the known device and the greater size, and add their tries")
    func merged() {
        let start = Date(timeIntervalSince1970: 0)
        let device = UUID()
        var entry = LedgerEntry(
            identifier: UUID(), direction: .outgoing, kind: .userInfo, device: device, bytes: 9, state: .queued)
        entry.become(.queued, at: start)
        entry.become(.sent, at: start + 1)
        var news = LedgerEntry(
            identifier: entry.identifier, direction: .outgoing, kind: .userInfo, device: nil, bytes: 5, state: .queued)
        news.become(.queued, at: start + 2, cause: "lost")
        news.become(.sent, at: start + 3)
        news.become(.delivered, at: start + 4)
        let both = entry.merging(news)
        #expect(both.state == .delivered)
        #expect(both.device == device)
        #expect(both.bytes == 9)
        #expect(both.attempts == 2)
        #expect(both.queuedAt == start)
        #expect(both.sentAt == start + 1)
        #expect(both.deliveredAt == start + 4)
        #expect(both.endedAt == nil)
    }

    @Test("States are ordered as a message passes through them")
    func order() {
        let states = LedgerEntry.State.allCases
        #expect(states == [.queued, .sent, .received, .delivered, .replied, .failed, .coalesced])
        let sorted = Array(states.reversed()).sorted()
        #expect(sorted == states)
        let isLess = LedgerEntry.State.sent < .sent
        #expect(!isLess)
    }
}
