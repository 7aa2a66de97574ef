import Testing

@testable import LinkProtocol

@Suite("Window of bytes in flight after a reset")
struct SendWindowResetTests {
    /// Sends a write that nothing accompanies, and acknowledges it after a time in seconds.
    private static func round(
        _ window: inout SendWindow, _ end: Int64, bytes: Int, from start: Double, for span: Double,
        isConditioned: Bool = true
    ) {
        window.sent(upTo: end, underWay: bytes, at: at(start))
        let time = at(start + span)
        window.acknowledged(Acknowledgement(end: end, arrival: time, isConditioned: isConditioned), at: time)
    }

    /// Returns the sizes of pieces after a fast round trip and after each of the four slow ones that follow it.
    ///
    /// - Parameter sent: The position after all bytes sent before.
    private static func sizes(_ window: inout SendWindow, after sent: Int64) -> [Int] {
        let fast = sent + 8_192
        round(&window, fast, bytes: 8_192, from: 0, for: 1.0 / 128)
        var sizes = [window.pieceBytes]
        for number in 1...4 {
            round(&window, fast + Int64(number) * 4_096, bytes: 4_096, from: Double(number) / 4, for: 1.0 / 32)
            sizes.append(window.pieceBytes)
        }
        return sizes
    }

    /// The fast round trip counts for four.
    private static let remembered = [10_485, 10_485, 10_485, 10_485, 2_048]

    @Test("A changed link is measured as a new one: over several round trips")
    func changedLink() {
        var window = SendWindow()
        Self.round(&window, 4_096, bytes: 4_096, from: -0.5, for: 1.0 / 4_096)
        window.reset(isConditioned: true)
        let sizes = Self.sizes(&window, after: 4_096)
        #expect(sizes == Self.remembered)
    }

    @Test("A link that is bare no longer is measured over several round trips")
    func bareNoLonger() {
        var window = SendWindow()
        window.reset(isConditioned: false)
        Self.round(&window, 4_096, bytes: 4_096, from: -0.5, for: 0.125, isConditioned: false)
        let bare = window.pieceBytes
        #expect(bare == LinkLimits.frameBytes)
        let sizes = Self.sizes(&window, after: 4_096)
        #expect(sizes == Self.remembered)
    }

    @Test("After a long silence a link is measured over several round trips")
    func silence() {
        var window = SendWindow()
        Self.round(&window, 4_096, bytes: 4_096, from: -10, for: 1.0 / 4_096)
        let sizes = Self.sizes(&window, after: 4_096)
        #expect(sizes == Self.remembered)
    }

    @Test("A reset changes the window at once, to that of a new connection", arguments: [false, true])
    func atOnce(_ isConditioned: Bool) {
        var window = SendWindow()
        _ = Self.sizes(&window, after: 0)
        window.reset(isConditioned: isConditioned)
        #expect(window.bytes == SendWindow.first)
        #expect(window.pieceBytes == 2_048)
    }

    @Test("One side's condition is enough for a link not to be bare")
    func oneSide() {
        var sizes: [Int] = []
        for (own, peer) in [(false, false), (false, true), (true, false), (true, true)] {
            var window = SendWindow()
            window.reset(isConditioned: own)
            Self.round(&window, 8_192, bytes: 8_192, from: 0, for: 1.0 / 128, isConditioned: peer)
            sizes.append(window.pieceBytes)
        }
        #expect(sizes == [LinkLimits.frameBytes, 10_485, 10_485, 10_485])
    }

    @Test("A link is bare from any acknowledgement on, even one for which no write is outstanding")
    func bareWithoutWrite() {
        var window = SendWindow()
        window.reset(isConditioned: false)
        window.acknowledged(Acknowledgement(end: 0, arrival: at(0), isConditioned: false), at: at(0))
        #expect(window.bytes == SendWindow.largest)
        #expect(window.pieceBytes == LinkLimits.frameBytes)
    }

    @Test("An acknowledgement for which no write is outstanding measures nothing")
    func nothingMeasured() {
        var window = SendWindow()
        window.sent(upTo: 4_096, underWay: 4_096, at: at(0))
        window.acknowledged(Acknowledgement(end: 4_095, arrival: at(0.001)), at: at(0.001))
        #expect(window.bytes == SendWindow.first)
        #expect(window.pieceBytes == 2_048)
    }

    @Test("The window shrinks only when it was full since the last round trip")
    func fullOnce() {
        for isFullAgain in [false, true] {
            var window = SendWindow()
            window.full()
            Self.round(&window, 8_192, bytes: 8_192, from: 0, for: 1.0 / 128)
            let first = window.bytes
            #expect(first == 47_841)
            for number in 1...4 {
                if isFullAgain, number == 4 { window.full() }
                let end = 8_192 + Int64(number) * 4_096
                Self.round(&window, end, bytes: 4_096, from: Double(number) / 4, for: 1.0 / 32)
            }
            let last = window.bytes
            #expect(isFullAgain ? last == SendWindow.least : last >= first, "\(last)")
        }
    }

    @Test("A new window does not shrink before it was full")
    func newWindow() {
        var bytes: [Int] = []
        for isFull in [false, true] {
            var window = SendWindow()
            if isFull { window.full() }
            Self.round(&window, 4_096, bytes: 4_096, from: 0, for: 1.0 / 2)
            bytes.append(window.bytes)
        }
        // 8,192 bytes per second in the round trip, the same again at the start, and 30 ms.
        #expect(bytes == [SendWindow.first, 8_437])
    }

    @Test("A link that is conditioned again begins with the window of a new connection, not with the largest one")
    func conditionedAgain() {
        var window = SendWindow()
        window.reset(isConditioned: false)
        Self.round(&window, 8_192, bytes: 8_192, from: 0, for: 1.0 / 128, isConditioned: false)
        #expect(window.bytes == SendWindow.largest)
        Self.round(&window, 12_288, bytes: 4_096, from: 0.5, for: 1.0 / 2)
        #expect(window.bytes == SendWindow.first)
        #expect(window.pieceBytes == 2_048)
    }
}
