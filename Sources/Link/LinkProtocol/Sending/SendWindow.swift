/// How much may be on its way to a peer, so that little waits in front of a message, and the link is never idle.
///
/// An acknowledgement says when what it counts arrived, by the receiver's clock: what the link carries in a second, and how long
/// the way there takes, are measured without the way back, on which words wait behind what the peer itself sends. The shortest
/// delay is the link's own, and what is above it is waiting. The window is what the link carries in a round trip without this
/// waiting, and in 30 ms more. With the smallest windows nothing is taken to wait: if the delay is longer then, it is the
/// link's own from now on.
///
/// On a bare socket, which neither side makes worse, there is nothing to measure but how busy the machine is: what is on its way
/// is in its memory, and the largest window is right from the first word on.
package struct SendWindow: Sendable {
    /// What is to wait in front of something urgent, in seconds: so that with what varies it is mostly less than 50 ms.
    private static let waiting = 0.03
    /// Where so much waits, in seconds, the bandwidth is what round trips carried on average, and not the most.
    private static let muchWaiting = 4 * waiting
    /// Round trips of which the one that carried most tells the bandwidth: where delays vary, most of them carry less.
    private static let rounds = 4
    /// Weight of a new round trip in what is usual: an eighth, as in TCP.
    private static let weight = 1.0 / 8
    /// Most that a round trip may carry by the receiver's clock, in what it carried by this side's: pieces that come late come
    /// together with those behind them, as if they had taken no time.
    private static let mostGain = 2.0
    /// Smallest window. 4 KiB: two pieces, one that is carried and one of which word comes back.
    package static let least = 4 * 1024
    /// What is on its way when nothing is taken to wait. 8 KiB: a smallest window and as much again, for pieces are not cut to it.
    private static let unqueued = 2 * least
    /// The window before anything is known. 12 KiB: as in TCP, and a moment of the slowest radio.
    package static let first = 12 * 1024
    /// Largest window. 1 MiB: what a local socket carries in a millisecond, and what a file may have under way.
    package static let largest = 1024 * 1024
    /// A piece is as much as the link carries in a hundredth of a second, and not less than 2 KiB: headers must cost little.
    private static let piecesPerSecond = 100.0
    private static let leastPiece = 2 * 1024
    /// After how long without word the link is not known any more: what is sent into one that has become slow cannot be taken
    /// back. 1 s: to learn it anew takes a few round trips.
    private static let memory: Duration = .seconds(1)

    /// Something that asked for an acknowledgement.
    private struct Mark {
        /// Of what was sent since the connection is there.
        let end: Int64
        let start: MonotonicTime
        /// What was on its way, with it.
        let bytes: Int
    }

    /// What is learnt of a link.
    private struct Link {
        /// The link's own delay, in seconds, and an unknown number more: the clocks differ.
        var shortestDelay: Double?
        var shortestRound: Double?
        /// What a round trip takes without what waits on the way there.
        var usualRound: Double?
        /// Bytes a second, of the last round trips.
        var rates = Deque<Double>()
        var lastRound: Acknowledgement?
        /// Nothing has waited yet.
        var isStarting = true
    }

    private var marks = Deque<Mark>()
    private var lastMark: Int64 = 0
    /// When this is acknowledged a round trip is over.
    private var roundEnd: Int64 = 0
    /// Of the acknowledgements of this round trip.
    private var delays = (sum: 0.0, count: 0.0)
    private var link = Link()
    private var wasFull = false
    /// Whether this side holds back what goes out.
    private var isConditioned = true
    /// Whether neither side does, as the peer said last.
    private var isBare = false
    private var lastWord: MonotonicTime?

    package private(set) var bytes = first
    package private(set) var pieceBytes = leastPiece

    package init() {}

    /// The link is another one from now on.
    package mutating func reset(isConditioned: Bool) {
        self.isConditioned = isConditioned
        reset()
    }

    private mutating func reset() {
        link = Link()
        isBare = false
        (bytes, pieceBytes) = (Self.first, Self.leastPiece)
    }

    /// Something waits because the window is full.
    package mutating func full() { wasFull = true }

    /// - Parameters:
    ///   - end: Of what was sent, with what asks for an acknowledgement.
    ///   - underWay: What of it is not acknowledged.
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
        // A nanosecond: two readings of the clock may be the same.
        let seconds = max(time.seconds(since: mark.start), 1e-9)
        link.shortestRound = min(link.shortestRound ?? seconds, seconds)
        // The peer's clock is its own affair: any number may come.
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
        // What did not fill the window says only what the link carries at least.
        let least = wasFull ? wanted : waited > Self.waiting ? min(wanted, Double(bytes)) : max(wanted, Double(bytes))
        bytes = Self.bounded(least, Self.least, Self.largest)
        wasFull = false
    }

    /// How much longer than the link's own the delays of a round trip were.
    private mutating func waited(of count: Int) -> Double {
        let delay = delays.sum / delays.count
        delays = (0, 0)
        let shortest = count <= Self.unqueued ? delay : min(link.shortestDelay ?? delay, delay)
        link.shortestDelay = shortest
        return delay - shortest
    }

    /// What the link carries in a second.
    ///
    /// - Parameter sample: What it carried by this side's clock.
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

    /// What may wait: until something does, as much as a round trip, so that a link of long ones is learnt in some of them.
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
