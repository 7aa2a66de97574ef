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
}
