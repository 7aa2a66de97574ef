/// The send window of a peer: small enough that messages rarely queue, large enough that the link is never idle.
///
/// An acknowledgement contains the arrival time by the receiver's clock. Bandwidth and delay are therefore measured
/// without the return path, where acknowledgements queue after the peer's own data. The shortest delay is the link's
/// latency; anything above it is queueing. The window is what the link carries in 30 ms plus a round trip without
/// queueing. At the smallest window no queueing is assumed: a longer delay measured there becomes the new latency.
///
/// On a bare socket, which neither side conditions, measurements would show only the load of the machine: data in
/// flight is in its memory, and the largest window is right from the first acknowledgement on.
package struct SendWindow: Sendable {
    /// The target queueing delay of urgent packages, in seconds: with variations usually below 50 ms.
    private static let waiting = 0.03
    /// The queueing delay, in seconds, above which the bandwidth is the mean over round trips, not the maximum.
    private static let muchWaiting = 4 * waiting
    /// The round trips over which the maximum bandwidth is taken: on links with variable delays most carry less.
    private static let rounds = 4
    /// The weight of a new round trip in the moving average: an eighth, as in TCP.
    private static let weight = 1.0 / 8
    /// The most that the receiver's clock may raise the bandwidth measured by this side's clock: late pieces arrive
    /// together with later ones, as if they had taken no time.
    private static let mostGain = 2.0
    /// The smallest window. 4 KiB: two pieces, one in flight and one being acknowledged.
    package static let least = 4 * 1024
    /// The bytes in flight that are assumed to cause no queueing. 8 KiB: twice the smallest window, as pieces are not
    /// cut to fit it.
    private static let unqueued = 2 * least
    /// The initial window. 12 KiB: about that of TCP, and a moment on the slowest radio.
    package static let first = 12 * 1024
    /// The largest window. 1 MiB: what a local socket carries in a millisecond, and the limit of a file in flight.
    package static let largest = 1024 * 1024
    /// Pieces per second: a piece is what the link carries in 10 ms, but at least 2 KiB to keep headers cheap.
    private static let piecesPerSecond = 100.0
    private static let leastPiece = 2 * 1024
    /// The time without an acknowledgement after which measurements are discarded: data sent into a link that has
    /// become slow cannot be taken back. 1 s: measuring again takes a few round trips.
    private static let memory: Duration = .seconds(1)

    /// A write that requested an acknowledgement.
    private struct Mark {
        /// The position in all bytes sent on the connection.
        let end: Int64
        let start: MonotonicTime
        /// The bytes in flight, including this write.
        let bytes: Int
    }

    /// The measurements of a link.
    private struct Link {
        /// The latency in seconds, plus an unknown offset between the clocks.
        var shortestDelay: Double?
        var shortestRound: Double?
        /// The usual duration of a round trip without queueing.
        var usualRound: Double?
        /// Bytes per second in the last round trips.
        var rates = Deque<Double>()
        var lastRound: Acknowledgement?
        /// True until queueing is first measured.
        var isStarting = true
    }

    private var marks = Deque<Mark>()
    private var lastMark: Int64 = 0
    /// The position whose acknowledgement completes the round trip.
    private var roundEnd: Int64 = 0
    /// The delays of the acknowledgements in this round trip.
    private var delays = (sum: 0.0, count: 0.0)
    private var link = Link()
    private var wasFull = false
    /// True if this side delays outgoing bytes.
    private var isConditioned = true
    /// True if neither side's link is conditioned, according to the last acknowledgement.
    private var isBare = false
    private var lastWord: MonotonicTime?

    package private(set) var bytes = first
    package private(set) var pieceBytes = leastPiece

    package init() {}

    /// Discards the measurements, as the link has changed.
    package mutating func reset(isConditioned: Bool) {
        self.isConditioned = isConditioned
        reset()
    }

    private mutating func reset() {
        link = Link()
        isBare = false
        (bytes, pieceBytes) = (Self.first, Self.leastPiece)
    }

    /// Records that a package must wait because the window is full.
    package mutating func full() { wasFull = true }

    /// Records a write that requests an acknowledgement.
    ///
    /// - Parameters:
    ///   - end: The position in all bytes sent, after this write.
    ///   - underWay: The unacknowledged bytes among them.
    package mutating func sent(upTo end: Int64, underWay: Int, at time: MonotonicTime) {
        if marks.isEmpty, let lastWord, time - lastWord > Self.memory { reset() }
        marks.append(Mark(end: end, start: time, bytes: underWay))
        lastMark = end
    }

    package mutating func acknowledged(_ word: Acknowledgement, at time: MonotonicTime) {
        lastWord = time
        var acknowledged: Mark?
        while let mark = marks.first, mark.end <= word.end {
            acknowledged = mark
            marks.removeFirst()
        }
        guard isConditioned || word.isConditioned else { return becomeBare() }
        if isBare { reset() }
        guard let mark = acknowledged else { return }
        // At least a nanosecond: two readings of the clock may be equal.
        let seconds = max(time.seconds(since: mark.start), 1e-9)
        link.shortestRound = min(link.shortestRound ?? seconds, seconds)
        // The offset of the peer's clock is arbitrary, so any number may result.
        delays.sum += Self.seconds(mark.start, word.arrival)
        delays.count += 1
        guard mark.end >= roundEnd else { return }
        roundEnd = lastMark
        let waited = waited(of: mark.bytes)
        let rate = rate(of: word, Double(mark.bytes) / seconds, waited)
        set(rate * (round(seconds - waited) + allowed(waited)), waited)
        pieceBytes = Self.bounded(rate / Self.piecesPerSecond, Self.leastPiece, LinkLimits.frameBytes)
    }

    private mutating func becomeBare() {
        isBare = true
        (bytes, pieceBytes) = (Self.largest, LinkLimits.frameBytes)
    }

    private mutating func set(_ wanted: Double, _ waited: Double) {
        // If the window was not filled, the measurement is only a lower bound.
        let least = wasFull ? wanted : waited > Self.waiting ? min(wanted, Double(bytes)) : max(wanted, Double(bytes))
        bytes = Self.bounded(least, Self.least, Self.largest)
        wasFull = false
    }

    /// Returns the queueing delay of a round trip: its mean delay minus the link's latency.
    private mutating func waited(of count: Int) -> Double {
        let delay = delays.sum / delays.count
        delays = (0, 0)
        let shortest = count <= Self.unqueued ? delay : min(link.shortestDelay ?? delay, delay)
        link.shortestDelay = shortest
        return delay - shortest
    }

    /// Returns the bandwidth in bytes per second.
    ///
    /// - Parameter sample: The bandwidth by this side's clock.
    private mutating func rate(of word: Acknowledgement, _ sample: Double, _ waited: Double) -> Double {
        var sample = sample
        if let former = link.lastRound {
            let span = Self.seconds(former.arrival, word.arrival)
            if span > 0 { sample = min(Double(word.end - former.end) / span, Self.mostGain * sample) }
        }
        link.lastRound = word
        link.rates.append(sample)
        if link.rates.count > Self.rounds { link.rates.removeFirst() }
        guard waited > Self.muchWaiting else { return link.rates.reduce(0, max) }
        return link.rates.reduce(0, +) / Double(link.rates.count)
    }

    private mutating func round(_ seconds: Double) -> Double {
        let former = link.usualRound ?? seconds
        let usual = former + (seconds - former) * Self.weight
        link.usualRound = usual
        return usual
    }

    /// Returns the allowed queueing delay: initially a full round trip more, so that slow links are measured quickly.
    private mutating func allowed(_ waited: Double) -> Double {
        if waited > Self.waiting / 2 { link.isStarting = false }
        return Self.waiting + (link.isStarting ? link.shortestRound ?? 0 : 0)
    }

    private static func seconds(_ start: MonotonicTime, _ end: MonotonicTime) -> Double {
        Double(end.nanoseconds &- start.nanoseconds) / 1e9
    }

    private static func bounded(_ value: Double, _ least: Int, _ most: Int) -> Int {
        Int(min(max(value, Double(least)), Double(most)))
    }
}
