import Testing

@testable import LinkProtocol

@Suite("Window of bytes in flight")
struct SendWindowTests {
    /// A link, and a sender that keeps the window full.
    private struct Link {
        var window = SendWindow()
        /// The time of the peer's clock when this side's clock starts.
        var clock = 0.0
        /// The delay of acknowledgements.
        var back = 0.0
        /// The queueing delay of the last byte when it was sent, in seconds.
        private(set) var waiting = 0.0
        private(set) var carried: Int64 = 0
        private var time = 0.0
        private var free = 0.0
        private var sent: Int64 = 0
        private var acknowledged: Int64 = 0
        private var flights: [(word: Acknowledgement, time: Double)] = []

        /// Carries a number of bytes per second, each after the latency, for a time in seconds.
        mutating func carry(_ bandwidth: Double, latency: Double, for span: Double) {
            let end = time + span
            let before = acknowledged
            while time < end {
                while sent - acknowledged < window.bytes {
                    let count = min(window.pieceBytes, window.bytes)
                    sent += Int64(count)
                    window.sent(upTo: sent, underWay: Int(sent - acknowledged), at: at(time))
                    waiting = max(free - time, 0)
                    free = max(free, time) + Double(count) / bandwidth
                    let word = Acknowledgement(end: sent, arrival: at(clock + free + latency))
                    flights.append((word, free + latency + back))
                }
                window.full()
                let next = flights.removeFirst()
                time = max(time, next.time)
                acknowledged = next.word.end
                window.acknowledged(next.word, at: at(time))
            }
            carried = acknowledged - before
        }

        /// Sends nothing for a time in seconds, then a byte.
        mutating func pause(for span: Double) {
            for flight in flights { window.acknowledged(flight.word, at: at(max(time, flight.time))) }
            flights.removeAll()
            acknowledged = sent
            time += span
            window.sent(upTo: sent + 1, underWay: 1, at: at(time))
        }
    }

    @Test(
        "The link is full and the queueing delay below 50 ms, whatever the return delay and the peer's clock",
        arguments: [(90_000, 0.1), (1_000_000, 0.02), (5_000_000, 0.01), (5_000_000, 0.1), (1_000_000, 0.15)],
        [(0, 0), (0.15, 0), (0.01, -3_000), (0.05, 9e9)])
    func full(_ link: (bandwidth: Double, latency: Double), _ peer: (back: Double, clock: Double)) {
        var way = Link()
        (way.back, way.clock) = peer
        way.carry(link.bandwidth, latency: link.latency, for: 10)
        way.carry(link.bandwidth, latency: link.latency, for: 10)
        // The largest window limits the throughput of long round trips.
        let most = min(link.bandwidth, Double(SendWindow.largest) / (link.latency + peer.back))
        #expect(Double(way.carried) > 0.95 * 10 * most, "\(way.carried) bytes")
        #expect(way.waiting < 0.05, "\(way.waiting) s")
    }

    @Test("A growing delay of acknowledgements does not reduce the window")
    func back() {
        var way = Link()
        way.carry(1_000_000, latency: 0.01, for: 3)
        for _ in 0..<10 {
            way.back += 0.02
            way.carry(1_000_000, latency: 0.01, for: 2)
        }
        way.carry(1_000_000, latency: 0.01, for: 10)
        #expect(way.carried > 9_000_000, "\(way.carried) bytes in 10 s")
        #expect(way.waiting < 0.05, "\(way.waiting) s")
    }

    @Test("The window adapts to long round trips within a few of them")
    func learnt() {
        var way = Link()
        way.back = 0.15
        way.carry(1_000_000, latency: 0.15, for: 3)
        #expect(way.window.bytes > 100_000, "\(way.window.bytes)")
        way.carry(1_000_000, latency: 0.15, for: 7)
        #expect(way.window.bytes > 250_000, "\(way.window.bytes)")
    }

    @Test("The window adapts to a slower, faster or longer link; after a pause it starts over")
    func changes() {
        var way = Link()
        way.carry(5_000_000, latency: 0.01, for: 5)
        #expect(way.window.bytes > 150_000)
        way.carry(90_000, latency: 0.01, for: 20)
        #expect(way.window.bytes < 11_000, "\(way.window.bytes), \(way.waiting) s")
        #expect(way.waiting < 0.11, "\(way.window.bytes), \(way.waiting) s")
        way.carry(5_000_000, latency: 0.01, for: 5)
        #expect(way.window.bytes > 150_000, "\(way.window.bytes)")
        way.carry(5_000_000, latency: 0.1, for: 20)
        way.carry(5_000_000, latency: 0.1, for: 5)
        #expect(way.carried > 22_500_000, "\(way.carried) bytes in 5 s")
        way.pause(for: 5)
        #expect(way.window.bytes == SendWindow.first)
    }

    @Test("However fast the link, the window and the pieces are limited")
    func bounds() {
        var way = Link()
        way.carry(1e12, latency: 1e-6, for: 0.001)
        #expect(way.window.bytes == SendWindow.largest)
        #expect(way.window.pieceBytes == LinkLimits.frameBytes)
    }

    /// Returns an acknowledgement of bytes that were sent just before it.
    private static func word(_ window: inout SendWindow, _ end: Int64, isConditioned: Bool) {
        window.sent(upTo: end, underWay: 4_096, at: at(Double(end) / 1e6))
        window.full()
        let time = at(Double(end) / 1e6 + 0.1)
        window.acknowledged(Acknowledgement(end: end, arrival: time, isConditioned: isConditioned), at: time)
    }

    @Test("The first acknowledgement opens the window of an undegraded link; degrading it closes it")
    func bare() {
        let open = (SendWindow.largest, LinkLimits.frameBytes)
        let unknown = SendWindow()
        var window = SendWindow()
        // This side's condition is unknown, or it has one.
        Self.word(&window, 4_096, isConditioned: false)
        #expect(window.bytes < 64 * 1024, "\(window.bytes)")
        window.reset(isConditioned: true)
        Self.word(&window, 8_192, isConditioned: false)
        #expect(window.bytes < 64 * 1024, "\(window.bytes)")

        window.reset(isConditioned: false)
        #expect(
            (window.bytes, window.pieceBytes) == (unknown.bytes, unknown.pieceBytes), "no report from the peer yet")
        Self.word(&window, 12_288, isConditioned: false)
        #expect((window.bytes, window.pieceBytes) == open)
        Self.word(&window, 16_384, isConditioned: true)
        #expect(window.bytes < 64 * 1024, "\(window.bytes)")
        Self.word(&window, 20_480, isConditioned: false)
        #expect((window.bytes, window.pieceBytes) == open)
        // After a time without reports, the peer's side may have changed.
        window.sent(upTo: 5_000_000, underWay: 4_096, at: at(5))
        #expect((window.bytes, window.pieceBytes) == (unknown.bytes, unknown.pieceBytes))
        window.reset(isConditioned: true)
        #expect((window.bytes, window.pieceBytes) == (unknown.bytes, unknown.pieceBytes))
    }

    @Test("A peer's clock values, however wild, only change the window within its limits")
    func wildClock() {
        var window = SendWindow()
        let times: [Int64] = [.min, .max, 0, .max, .max, .min, -1, 1, .min, .min]
        for (step, nanoseconds) in times.enumerated() {
            let end = Int64(step + 1) * 4_096
            window.sent(upTo: end, underWay: 4_096, at: at(Double(step)))
            window.full()
            let word = Acknowledgement(end: end, arrival: MonotonicTime(nanoseconds: nanoseconds))
            window.acknowledged(word, at: at(Double(step) + 0.5))
            #expect((SendWindow.least...SendWindow.largest).contains(window.bytes), "after \(nanoseconds)")
        }
    }

    /// Sends a write that nothing accompanies, and acknowledges it after a time in seconds.
    private static func round(
        _ window: inout SendWindow, _ end: Int64, bytes: Int, from start: Double, for span: Double
    ) {
        window.sent(upTo: end, underWay: bytes, at: at(start))
        let time = at(start + span)
        window.acknowledged(Acknowledgement(end: end, arrival: time), at: time)
    }

    @Test("A fast round trip determines the size of pieces for four round trips, and no longer")
    func rounds() {
        var window = SendWindow()
        var pieces: [Int] = []
        // 1 MiB per second, then less than the smallest piece in 10 ms.
        Self.round(&window, 8_192, bytes: 8_192, from: 0, for: 1.0 / 128)
        pieces.append(window.pieceBytes)
        for number in 1...4 {
            Self.round(
                &window, 8_192 + Int64(number) * 4_096, bytes: 4_096, from: Double(number) / 4, for: 1.0 / 32)
            pieces.append(window.pieceBytes)
        }
        #expect(pieces == [10_485, 10_485, 10_485, 10_485, 2_048])
    }

    @Test("A round trip is complete with the last write before it began, not sooner and not later")
    func complete() {
        var window = SendWindow()
        for end in [4_096, 12_288, 20_480] { window.sent(upTo: Int64(end), underWay: end, at: at(0)) }
        var pieces: [Int] = []
        for (end, seconds) in [(4_096, 2.0 / 128), (12_288, 3.0 / 128), (20_480, 4.0 / 128)] as [(Int64, Double)] {
            window.acknowledged(Acknowledgement(end: end, arrival: at(seconds)), at: at(seconds))
            pieces.append(window.pieceBytes)
        }
        // 4,096 bytes in 1/64 s; then 16,384 bytes in 1/64 s by the peer's clock.
        #expect(pieces == [2_621, 2_621, 10_485])
    }

    @Test("If the peer's clock stands still, only this side's counts")
    func still() {
        var window = SendWindow()
        Self.round(&window, 4_096, bytes: 4_096, from: 0, for: 1.0 / 64)
        window.sent(upTo: 8_192, underWay: 4_096, at: at(0.5))
        window.acknowledged(Acknowledgement(end: 8_192, arrival: at(1.0 / 64)), at: at(0.5 + 1.0 / 64))
        #expect(window.pieceBytes == 2_621)
    }

    @Test("With 8 KiB in flight a longer delay is the link's own; with more it is queueing, and the window shrinks")
    func unqueued() {
        for (bytes, grows) in [(8_192, true), (8_193, false)] {
            var window = SendWindow()
            Self.round(&window, 8_192, bytes: 8_192, from: 0, for: 1.0 / 128)
            let first = window.bytes
            Self.round(&window, 16_384, bytes: bytes, from: 0.5, for: 1.0 / 8)
            #expect((window.bytes > first) == grows, "\(bytes) bytes: \(first), then \(window.bytes)")
        }
    }

    @Test("The peer's clock raises the bandwidth at most twofold")
    func gain() {
        var window = SendWindow()
        Self.round(&window, 4_096, bytes: 4_096, from: 0, for: 1.0 / 64)
        let first = window.pieceBytes
        // 4,096 bytes in 1/64 s by this side's clock, and in a nanosecond by the peer's.
        window.sent(upTo: 8_192, underWay: 4_096, at: at(0.5))
        let arrival = MonotonicTime(nanoseconds: at(1.0 / 64).nanoseconds + 1)
        window.acknowledged(Acknowledgement(end: 8_192, arrival: arrival), at: at(0.5 + 1.0 / 64))
        #expect(first == 2_621)
        #expect(window.pieceBytes == 5_242)
    }

    @Test(
        "Measurements are kept for a second without acknowledgements, or for as long as one is outstanding",
        arguments: [(0, false, true), (1, false, false), (5_000_000_000, true, true)] as [(Int64, Bool, Bool)])
    func kept(_ more: Int64, isOutstanding: Bool, isKept: Bool) {
        var window = SendWindow()
        Self.round(&window, 8_192, bytes: 8_192, from: 0, for: 1.0 / 128)
        if isOutstanding { window.sent(upTo: 12_288, underWay: 4_096, at: at(0.5)) }
        let time = MonotonicTime(nanoseconds: at(1 + 1.0 / 128).nanoseconds + more)
        window.sent(upTo: 16_384, underWay: 4_096, at: time)
        #expect(window.pieceBytes == (isKept ? 10_485 : 2_048))
    }
}
