import Foundation
import LinkProtocol
import Testing

@Suite("Ledger entries: arrivals, relations and what is merged")
struct LedgerMergeTests {
    private static let identifier = UUID()
    private static let other = UUID()
    private static let start = Date(timeIntervalSince1970: 0)

    private static func entry(
        _ direction: LedgerEntry.Direction, _ kind: TransferKind, _ state: LedgerEntry.State, bytes: Int64 = 1,
        device: UUID? = nil
    ) -> LedgerEntry {
        LedgerEntry(
            identifier: identifier, direction: direction, kind: kind, device: device, bytes: bytes, state: state)
    }

    @Test("An entry keeps the time of its first arrival, and counts each")
    func arrivals() {
        var entry = Self.entry(.incoming, .userInfo, .received)
        entry.become(.received, at: Self.start)
        entry.become(.received, at: Self.start + 1, cause: "again")
        #expect(entry.receivedAt == Self.start)
        #expect(entry.attempts == 2)
        #expect(entry.cause == "again")
        #expect(entry.related == nil)
        entry.become(.delivered, at: Self.start + 2)
        #expect(entry.state == .delivered)
        #expect(entry.deliveredAt == Self.start + 2)
        #expect(entry.endedAt == nil)
    }

    @Test("A duplicate is counted and names its original; the state and the times of the original stay")
    func duplicate() {
        var entry = Self.entry(.incoming, .userInfo, .received)
        entry.become(.received, at: Self.start)
        entry.become(.delivered, at: Self.start + 1)
        entry.become(.received, at: Self.start + 2, cause: "repeat", related: Self.identifier)
        #expect(entry.state == .delivered)
        #expect(entry.cause == "repeat")
        #expect(entry.related == Self.identifier)
        #expect(entry.receivedAt == Self.start)
        #expect(entry.attempts == 2)
    }

    @Test("A superseded context names the newer one and ends; a later event without a relation keeps the name")
    func superseded() {
        var entry = Self.entry(.outgoing, .context, .queued)
        entry.become(.queued, at: Self.start)
        entry.become(.coalesced, at: Self.start + 1, cause: "a newer one", related: Self.other)
        #expect(entry.state == .coalesced)
        #expect(entry.related == Self.other)
        #expect(entry.endedAt == Self.start + 1)
        #expect(entry.cause == "a newer one")
        entry.become(.failed, at: Self.start + 2, cause: "unpaired")
        #expect(entry.related == Self.other)
        #expect(entry.state == .failed)
        #expect(entry.endedAt == Self.start + 2)
    }

    /// News with a value in each field.
    private static var news: LedgerEntry {
        var news = entry(.incoming, .file, .failed, bytes: 9, device: other)
        news.cause = "the end"
        news.related = other
        news.attempts = 3
        news.queuedAt = start
        news.sentAt = start + 1
        news.receivedAt = start + 2
        news.deliveredAt = start + 3
        news.endedAt = start + 4
        return news
    }

    @Test("An entry that knows nothing takes everything from the news")
    func takesAll() {
        let both = Self.entry(.incoming, .file, .received).merging(Self.news)
        #expect(both.state == .failed)
        #expect(both.cause == "the end")
        #expect(both.device == Self.other)
        #expect(both.bytes == 9)
        #expect(both.related == Self.other)
        #expect(both.attempts == 3)
        #expect(both.queuedAt == Self.start)
        #expect(both.sentAt == Self.start + 1)
        #expect(both.receivedAt == Self.start + 2)
        #expect(both.deliveredAt == Self.start + 3)
        #expect(both.endedAt == Self.start + 4)
    }

    @Test("News that know nothing change only the state and its cause")
    func takesNothing() {
        var expected = Self.news
        expected.state = .sent
        expected.cause = nil
        let both = Self.news.merging(Self.entry(.incoming, .file, .sent))
        #expect(both == expected)
    }

    @Test("Of two values, the first queueing, sending and arrival stay, and the last device, delivery and end")
    func takesSome() {
        var later = Self.news
        let device = UUID()
        let related = UUID()
        later.device = device
        later.related = related
        later.bytes = 8
        later.attempts = 1
        later.queuedAt = Self.start + 10
        later.sentAt = Self.start + 11
        later.receivedAt = Self.start + 12
        later.deliveredAt = Self.start + 13
        later.endedAt = Self.start + 14
        var expected = Self.news
        expected.device = device
        expected.related = related
        expected.attempts = 4
        expected.deliveredAt = Self.start + 13
        expected.endedAt = Self.start + 14
        let both = Self.news.merging(later)
        #expect(both == expected)
    }

    @Test("News of a duplicate are counted, and keep the state and the cause")
    func mergedDuplicate() {
        var news = Self.entry(.incoming, .file, .received)
        news.become(.received, at: Self.start + 9, cause: "repeat", related: Self.identifier)
        let both = Self.news.merging(news)
        #expect(both.state == .failed)
        #expect(both.cause == "the end")
        #expect(both.related == Self.identifier)
        #expect(both.attempts == 4)
    }

    @Test("A replaced context that is delivered after all is delivered, and so is one that came from outside")
    func deliveredAfterAll() {
        for direction in LedgerEntry.Direction.allCases {
            var entry = Self.entry(direction, .context, .queued)
            entry.state = .coalesced
            entry.become(.delivered, at: Self.start + 1)
            #expect(entry.state == .delivered, "\(direction)")
            #expect(entry.deliveredAt == Self.start + 1, "\(direction)")
            #expect(entry.attempts == 0, "\(direction)")
        }
        var incoming = Self.entry(.incoming, .context, .coalesced)
        incoming.become(.queued, at: Self.start)
        #expect(incoming.state == .queued)
        #expect(incoming.queuedAt == Self.start)
    }
}
