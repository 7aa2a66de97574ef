import Foundation
import Testing

@testable import LinkProtocol

@Suite("Queues of packages to a peer")
struct SendQueueTests {
    private static func enqueue(_ lane: SendLane, _ count: Int, in scheduler: inout SendScheduler) -> Bool {
        scheduler.enqueue(lane, [UInt8](repeating: 7, count: count))
    }

    @Test("Bytes that were sent make room in the queue of their urgency, and are no news any more")
    func room() {
        var scheduler = SendScheduler()
        let most = LinkLimits.queuedBytes
        let taken = [
            Self.enqueue(.messages, most, in: &scheduler), Self.enqueue(.answers, 1, in: &scheduler),
            Self.enqueue(.complication, most, in: &scheduler),
        ]
        #expect(taken == [true, false, true])
        let piece = scheduler.next(at: at(0))
        #expect(piece?.bytes.count == 2_048)
        let more = [
            Self.enqueue(.answers, 2_049, in: &scheduler), Self.enqueue(.answers, 2_048, in: &scheduler),
            Self.enqueue(.answers, 1, in: &scheduler),
        ]
        #expect(more == [false, true, false])
    }

    @Test("When everything was sent there is nothing more to send, to report or to finish")
    func empty() {
        var scheduler = SendScheduler()
        let isTaken = Self.enqueue(.userInfos, 100, in: &scheduler)
        #expect(isTaken)
        let isNews = scheduler.takeNews(at: at(0))
        #expect(isNews)
        let piece = scheduler.next(at: at(0))
        #expect(piece?.lane == .userInfos)
        let rest = scheduler.next(at: at(0))
        #expect(rest == nil)
        let isStillNews = scheduler.takeNews(at: at(100))
        #expect(!isStillNews)
        let last = scheduler.last(at: at(100))
        #expect(last == nil)
    }

    @Test("A whole package has the header of a package, a part of one that of a piece; both may request an answer")
    func headers() {
        var scheduler = SendScheduler()
        let isTaken = [
            Self.enqueue(.messages, 10, in: &scheduler), Self.enqueue(.messages, 2_049, in: &scheduler),
        ]
        #expect(isTaken == [true, true])
        let pieces = (0..<3).compactMap { _ in scheduler.next(at: at(0)) }
        #expect(pieces.map(\.wantsAcknowledgement) == [false, true, false])
        // The frame's length with the twelve bytes after it, then the lane, the package's length, and the offset.
        let first: [UInt8] = [0x81, 0, 0x08, 0x0C, 0, 0, 0, 0, 0, 0, 0x08, 0x01, 0, 0, 0, 0]
        let second: [UInt8] = [0x01, 0, 0, 13, 0, 0, 0, 0, 0, 0, 0x08, 0x01, 0, 0, 0x08, 0]
        let expected: [[UInt8]] = [[0, 0, 0, 10], first, second]
        #expect(pieces.map(\.header) == expected)
    }

    @Test("The more urgent is sent first, whatever was queued first")
    func urgencies() {
        var scheduler = SendScheduler()
        for lane in [SendLane.receipts, .complication, .answers, .contexts, .messages] {
            let isTaken = Self.enqueue(lane, 10, in: &scheduler)
            #expect(isTaken)
        }
        let lanes = (0..<6).map { _ in scheduler.next(at: at(0))?.lane }
        #expect(lanes == [.messages, .answers, .complication, .contexts, .receipts, nil])
    }

    @Test("A bare socket takes whole packages at once; when the link changes, it is measured anew")
    func changed() throws {
        var scheduler = SendScheduler()
        scheduler.linkChanged(isConditioned: false)
        let first = scheduler.pass(.messages, bytes: 2_044, at: at(0))
        #expect(first == true)
        let word = Acknowledgement(end: 2_048, arrival: at(0.001), isConditioned: false)
        try scheduler.acknowledged(word, at: at(0.001))
        let whole = scheduler.pass(.files, bytes: LinkLimits.frameBytes, at: at(0.002))
        #expect(whole == true)
        scheduler.linkChanged(isConditioned: true)
        let cut = scheduler.pass(.messages, bytes: 2_049, at: at(0.003))
        #expect(cut == nil)
    }
}
