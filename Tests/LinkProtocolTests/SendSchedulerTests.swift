import Foundation
import Testing

@testable import LinkProtocol

@Suite("Scheduling of packages to a peer")
struct SendSchedulerTests {
    private static let window = SendWindow.first

    private static func enqueue(
        _ lane: SendLane, _ count: Int, in scheduler: inout SendScheduler, isTaken expected: Bool = true
    ) {
        let isTaken = scheduler.enqueue(lane, [UInt8](repeating: 0, count: count))
        #expect(isTaken == expected, "\(count) bytes of \(lane)")
    }

    private static func expectPass(
        _ lane: SendLane, bytes count: Int, at time: MonotonicTime, in scheduler: inout SendScheduler,
        is expected: Bool?
    ) {
        let passes = scheduler.pass(lane, bytes: count, at: time)
        #expect(passes == expected, "\(count) bytes of \(lane)")
    }

    /// Takes everything that may be sent now.
    private static func drain(_ scheduler: inout SendScheduler, at time: Double = 0) -> [SendScheduler.Piece] {
        var pieces: [SendScheduler.Piece] = []
        while let piece = scheduler.next(at: at(time)) { pieces.append(piece) }
        return pieces
    }

    /// Returns an acknowledgement of bytes that arrived immediately.
    private static func word(_ end: Int64, _ time: Double) -> Acknowledgement {
        Acknowledgement(end: end, arrival: at(time))
    }

    private static func bytes(_ pieces: [SendScheduler.Piece]) -> Int64 {
        Int64(pieces.reduce(0) { $0 + $1.header.count + $1.bytes.count })
    }

    @Test("A small package with none before it need not wait; a large one, or one behind another, does")
    func passes() {
        var scheduler = SendScheduler()
        Self.expectPass(.messages, bytes: 600, at: at(0), in: &scheduler, is: false)
        Self.expectPass(.messages, bytes: 3_000, at: at(0), in: &scheduler, is: nil)
        Self.enqueue(.messages, 3_000, in: &scheduler)
        Self.expectPass(.messages, bytes: 600, at: at(0), in: &scheduler, is: nil)
        Self.expectPass(.answers, bytes: 600, at: at(0), in: &scheduler, is: false)
    }

    @Test("The pieces of a package assemble to it, and only a window of bytes is in flight")
    func window() throws {
        var scheduler = SendScheduler()
        let package = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
        let isTaken = scheduler.enqueue(.files, package)
        #expect(isTaken)
        var (all, sent): ([UInt8], Int64) = ([], 0)
        var rounds = 0
        while true {
            let pieces = Self.drain(&scheduler, at: Double(rounds))
            guard !pieces.isEmpty else { break }
            for piece in pieces {
                #expect(piece.offset == all.count)
                #expect(piece.length == 40_000)
                #expect(piece.lane == .files)
                all += piece.bytes
            }
            // It may double once, and end in the middle of a piece.
            #expect(Self.bytes(pieces) <= (rounds == 0 ? 1 : 2) * Self.window + 4_096)
            let isAsking = pieces.contains { $0.wantsAcknowledgement }
            #expect(isAsking || all.count == package.count, "nothing would ever go on after \(all.count) bytes")
            sent += Self.bytes(pieces)
            rounds += 1
            // Each takes longer than the previous one: the window does not grow.
            try scheduler.acknowledged(Self.word(sent, Double(rounds * rounds)), at: at(Double(rounds)))
        }
        #expect(all == package)
        #expect(rounds >= 3)
    }

    @Test("A message is sent although a file fills the window")
    func messageFirst() {
        var scheduler = SendScheduler()
        Self.enqueue(.files, 100_000, in: &scheduler)
        _ = Self.drain(&scheduler)
        Self.enqueue(.userInfos, 5_000, in: &scheduler)
        Self.enqueue(.complication, 5_000, in: &scheduler)
        Self.enqueue(.answers, 5_000, in: &scheduler)
        let lanes = Self.drain(&scheduler).map(\.lane)
        #expect(lanes == [.answers, .answers, .answers, .complication], "then the complication gets its share")
    }

    @Test("Lanes of one urgency take turns, and each keeps its order")
    func turns() {
        var scheduler = SendScheduler()
        for lane in [SendLane.userInfos, .userInfos, .files] {
            Self.enqueue(lane, 3_000, in: &scheduler)
        }
        let pieces = Self.drain(&scheduler)
        #expect(pieces.map(\.lane) == [.userInfos, .files, .userInfos, .files, .userInfos, .userInfos])
        #expect(pieces.filter { $0.lane == .userInfos }.map(\.offset) == [0, 2_048, 0, 2_048])
    }

    @Test("However many messages wait, transfers continue")
    func share() throws {
        var scheduler = SendScheduler()
        for _ in 0..<60 { Self.enqueue(.messages, 60_000, in: &scheduler) }
        for _ in 0..<8 { Self.enqueue(.files, 500_000, in: &scheduler) }
        var (sent, background): (Int64, Int64) = (0, 0)
        for round in 0..<1_000 {
            let pieces = Self.drain(&scheduler, at: Double(round))
            // Until all messages are sent.
            guard pieces.contains(where: { $0.lane == .messages }) else { break }
            sent += Self.bytes(pieces)
            background += Self.bytes(pieces.filter { $0.lane == .files })
            try scheduler.acknowledged(Self.word(sent, Double(round + 1)), at: at(Double(round + 1)))
        }
        #expect(background * 16 >= sent, "\(background) of \(sent) bytes")
        #expect(background * 4 <= sent, "\(background) of \(sent) bytes")
        #expect(sent > 3_600_000)
    }

    @Test("Too much of one urgency is refused, and does not block others")
    func full() {
        var scheduler = SendScheduler()
        for _ in 0..<8 { Self.enqueue(.userInfos, LinkLimits.frameBytes, in: &scheduler) }
        Self.enqueue(.files, 1, in: &scheduler, isTaken: false)
        Self.enqueue(.messages, 1, in: &scheduler)
    }

    @Test("An acknowledgement of unsent bytes, and one below an earlier one, are refused")
    func badAcknowledgements() throws {
        var scheduler = SendScheduler()
        _ = scheduler.pass(.messages, bytes: 96, at: at(0))
        var error = #expect(throws: ProtocolError.self) { try scheduler.acknowledged(Self.word(101, 1), at: at(1)) }
        #expect(error?.description == "bad acknowledgement: 101 bytes; expected 0 to 100")
        try scheduler.acknowledged(Self.word(100, 1), at: at(1))
        error = #expect(throws: ProtocolError.self) { try scheduler.acknowledged(Self.word(99, 1), at: at(1)) }
        #expect(error?.description == "bad acknowledgement: 99 bytes; expected 100 to 100")
    }

    @Test("Before the connection closes, urgent packages are sent, completely, and nothing else")
    func last() {
        var scheduler = SendScheduler()
        Self.enqueue(.files, 100_000, in: &scheduler)
        Self.enqueue(.messages, 100_000, in: &scheduler)
        let first = Self.drain(&scheduler).filter { $0.lane == .messages }
        var rest: [SendScheduler.Piece] = []
        while let piece = scheduler.last(at: at(0)) { rest.append(piece) }
        #expect(rest.map(\.lane).filter { $0 != .messages } == [])
        #expect((first + rest).reduce(0) { $0 + $1.bytes.count } == 100_000)
    }

    @Test("While packages wait and the link moves, their owners are notified periodically")
    func news() {
        var scheduler = SendScheduler()
        var news: [Bool] = []
        news.append(scheduler.takeNews(at: at(0)))
        Self.enqueue(.files, 100_000, in: &scheduler)
        news.append(scheduler.takeNews(at: at(1)))
        news.append(scheduler.takeNews(at: at(5.9)))
        news.append(scheduler.takeNews(at: at(6)))
        #expect(news == [false, true, false, true], "nothing waits; something waits; too soon; due again")
    }

    /// Fills the window exactly with messages that need not wait.
    private static func fill(_ scheduler: inout SendScheduler) {
        for _ in 0..<6 { expectPass(.messages, bytes: 2_044, at: at(0), in: &scheduler, is: true) }
    }

    @Test("A package of the size of a piece need not wait; one that is a byte longer must, and is cut")
    func piece() {
        var scheduler = SendScheduler()
        Self.expectPass(.messages, bytes: 2_048, at: at(0), in: &scheduler, is: true)
        Self.expectPass(.messages, bytes: 2_049, at: at(0), in: &scheduler, is: nil)
        Self.enqueue(.messages, 2_048, in: &scheduler)
        Self.enqueue(.messages, 2_049, in: &scheduler)
        let pieces = Self.drain(&scheduler)
        #expect(pieces.map(\.bytes.count) == [2_048, 2_048, 1])
        #expect(pieces.map(\.isWhole) == [true, false, false])
        #expect(pieces.map(\.header.count) == [4, 16, 16])
    }

    @Test("A write requests an acknowledgement when an eighth of the window was sent since the last request")
    func asked() {
        var scheduler = SendScheduler()
        Self.expectPass(.messages, bytes: 1_532, at: at(0), in: &scheduler, is: true)
        Self.expectPass(.messages, bytes: 1_531, at: at(0), in: &scheduler, is: false)
        Self.expectPass(.messages, bytes: 1, at: at(0), in: &scheduler, is: true)
        Self.expectPass(.messages, bytes: 1, at: at(0), in: &scheduler, is: false)
    }

    @Test("When messages fill the window exactly, transfers still get an eighth of it and no more")
    func eighth() {
        for (count, isAsking, more) in [(1_532, true, nil), (1_531, false, true)] as [(Int, Bool, Bool?)] {
            var scheduler = SendScheduler()
            Self.fill(&scheduler)
            Self.expectPass(.messages, bytes: 1, at: at(0), in: &scheduler, is: nil)
            Self.expectPass(.files, bytes: count, at: at(0), in: &scheduler, is: isAsking)
            Self.expectPass(.files, bytes: 1, at: at(0), in: &scheduler, is: more)
        }
    }

    @Test("If no message waits for the window, a slow acknowledgement does not shrink it")
    func unfilled() throws {
        var scheduler = SendScheduler()
        Self.fill(&scheduler)
        Self.enqueue(.files, 100, in: &scheduler)
        let lanes = Self.drain(&scheduler).map(\.lane)
        #expect(lanes == [.files])
        try scheduler.acknowledged(Self.word(2_048, 10), at: at(10))
        Self.expectPass(.messages, bytes: 2_044, at: at(10), in: &scheduler, is: true)
        Self.expectPass(.messages, bytes: 2_044, at: at(10), in: &scheduler, is: nil)
    }

    @Test("An acknowledgement may be repeated, and makes room for as much as it covers")
    func repeated() throws {
        var scheduler = SendScheduler()
        Self.fill(&scheduler)
        // In the middle of the second write.
        try scheduler.acknowledged(Self.word(4_095, 1), at: at(1))
        try scheduler.acknowledged(Self.word(4_095, 1), at: at(1))
        Self.expectPass(.messages, bytes: 2_044, at: at(1), in: &scheduler, is: true)
        Self.expectPass(.messages, bytes: 2_044, at: at(1), in: &scheduler, is: nil)
    }
}
