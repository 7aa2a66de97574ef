import Testing

@testable import LinkProtocol

@Suite("Window of bytes in flight at the limits of delay")
struct SendWindowDelayTests {
    /// Returns the window after a fast round trip without any delay by the peer's clock, and one of an eighth of a
    /// second with a delay in nanoseconds, during which more bytes were in flight than cause no queueing.
    private static func window(_ delay: Int64) -> SendWindow {
        var window = SendWindow()
        window.sent(upTo: 8_192, underWay: 8_192, at: at(0))
        window.acknowledged(Acknowledgement(end: 8_192, arrival: at(0)), at: at(1.0 / 128))
        window.sent(upTo: 16_385, underWay: 8_193, at: at(0.5))
        let arrival = MonotonicTime(nanoseconds: at(0.5).nanoseconds + delay)
        window.acknowledged(Acknowledgement(end: 16_385, arrival: arrival), at: at(0.625))
        return window
    }

    @Test(
        "Up to 15 ms a link is still being measured, up to 30 ms the window grows, up to 120 ms the best rate counts",
        arguments: [
            // A megabyte per second, for the usual round trip, 30 ms and the shortest round trip.
            (15_000_000, 61_235, 10_485), (15_000_001, 53_043, 10_485),
            // The larger one of the former window and the measured one, then the smaller one.
            (30_000_000, 51_077, 10_485), (30_000_001, 47_841, 10_485),
            // The best rate of the last round trips, then the mean.
            (120_000_000, 39_280, 10_485), (120_000_001, 19_887, 5_308),
        ] as [(Int64, Int, Int)])
    func delays(_ delay: Int64, _ bytes: Int, _ pieceBytes: Int) {
        let window = Self.window(delay)
        #expect(window.bytes == bytes)
        #expect(window.pieceBytes == pieceBytes)
    }
}
