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

    /// Returns the text of the error that an acknowledgement causes; nil if it is accepted.
    private static func refusal(of end: Int64, by scheduler: inout SendScheduler) -> String? {
        do {
            try scheduler.acknowledged(Acknowledgement(end: end, arrival: at(1)), at: at(1))
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("A whole package counts with a header of four bytes, and each part of one with sixteen")
    func counted() {
        var scheduler = SendScheduler()
        let isTaken = [
            Self.enqueue(.messages, 96, in: &scheduler), Self.enqueue(.messages, 2_049, in: &scheduler),
        ]
        #expect(isTaken == [true, true])
        var refusals: [String?] = []
        for end: Int64 in [100, 2_164, 2_181] {
            let piece = scheduler.next(at: at(0))
            #expect(piece != nil, "\(end)")
            refusals.append(Self.refusal(of: end + 1, by: &scheduler))
        }
        #expect(
            refusals == [
                "bad acknowledgement: 101 bytes; expected 0 to 100",
                "bad acknowledgement: 2165 bytes; expected 0 to 2164",
                "bad acknowledgement: 2182 bytes; expected 0 to 2181",
            ])
        let accepted = Self.refusal(of: 2_181, by: &scheduler)
        #expect(accepted == nil)
    }

    @Test("If a message waits for the window, a slow acknowledgement shrinks it")
    func filled() throws {
        for isWaiting in [false, true] {
            var scheduler = SendScheduler()
            for _ in 0..<6 {
                let isAsking = scheduler.pass(.messages, bytes: 2_044, at: at(0))
                #expect(isAsking == true)
            }
            if isWaiting {
                let isTaken = Self.enqueue(.messages, 100, in: &scheduler)
                #expect(isTaken)
                let none = scheduler.next(at: at(0))
                #expect(none == nil)
            }
            try scheduler.acknowledged(Acknowledgement(end: 2_048, arrival: at(10)), at: at(10))
            // 2,048 bytes in ten seconds.
            let passes = scheduler.pass(.answers, bytes: 100, at: at(10))
            #expect(passes == (isWaiting ? nil : false))
        }
    }

    @Test("If no acknowledgement is outstanding, something is sent, however little fits the window of a changed link")
    func nothingOutstanding() throws {
        var scheduler = SendScheduler()
        scheduler.linkChanged(isConditioned: false)
        let first = scheduler.pass(.messages, bytes: 2_044, at: at(0))
        #expect(first == true)
        let word = Acknowledgement(end: 2_048, arrival: at(0.001), isConditioned: false)
        try scheduler.acknowledged(word, at: at(0.001))
        // Less than an eighth of the largest window.
        let large = scheduler.pass(.messages, bytes: 100_000, at: at(0.002))
        #expect(large == false)
        scheduler.linkChanged(isConditioned: true)
        let next = scheduler.pass(.messages, bytes: 2_044, at: at(0.003))
        #expect(next == true)
        let more = scheduler.pass(.messages, bytes: 1, at: at(0.003))
        #expect(more == nil)
    }
}
