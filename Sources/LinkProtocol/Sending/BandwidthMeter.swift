/// How much may be on its way to a peer, by how fast it acknowledges.
///
/// The bandwidth is what is acknowledged over time, and the link holds as much as it carries in the shortest time that an
/// acknowledgement took. More than that waits somewhere: as much as the link carries in 50 ms may, for whatever is urgent waits
/// behind it. Where round trips vary by themselves as much more is on its way, or such a link would stand idle.
package struct BandwidthMeter: Sendable {
    /// What may wait in front of something urgent, in seconds.
    private static let waiting = 0.05
    /// Until something waits, a full window grows by half with each round trip.
    private static let growth = 1.5
    /// A round trip that is longer than the shortest by a quarter and 10 ms says that something waits.
    private static let (longer, longerBy) = (1.25, 0.01)
    /// Twice what round trips vary by is allowed for, up to twice the shortest.
    private static let variation = 2.0
    /// Weight of a new round trip in what is usual: an eighth, as in TCP.
    private static let weight = 1.0 / 8
    /// Smallest window. 12 KiB: less would leave a link of some kilobytes a second idle until word comes back.
    package static let leastWindow = 12 * 1024
    /// Largest window. 1 MiB: what a local socket carries in a millisecond.
    package static let largestWindow = 1024 * 1024
    /// A piece is as much as the link carries in a hundredth of a second, and not less than 2 KiB: headers must cost little.
    private static let piecesPerSecond = 100.0
    private static let leastPiece = 2 * 1024
    /// How long the shortest time is believed: links change. 10 s: looking for it anew costs two round trips of a small window.
    private static let belief: Duration = .seconds(10)
    /// After how long without word the bandwidth is not known any more: what is sent into a link that has become slow cannot
    /// be taken back. 1 s: to learn it anew takes a few round trips.
    private static let memory: Duration = .seconds(1)

    /// From when something was sent until it was acknowledged.
    private struct Round {
        let end: Int64
        let start: MonotonicTime
        let acknowledged: Int64
        /// Whether so little was on its way that none of it waited.
        let isShort: Bool
    }

    private var round: Round?
    /// Bytes a second; nil until measured.
    private var bandwidth: Double?
    private var shortest: (seconds: Double, since: MonotonicTime)?
    /// What round trips come to, and by how much they differ from it, in seconds.
    private var usual: (seconds: Double, deviation: Double)?
    private var isStarting = true
    private var isRefreshing = false
    private var wasLimited = false
    private var lastWord: MonotonicTime?

    package private(set) var window = leastWindow
    package private(set) var pieceBytes = leastPiece

    package init() {}

    /// The link is another one from now on.
    package mutating func reset() { self = BandwidthMeter() }

    /// Something waits because the window is full.
    package mutating func limited() { wasLimited = true }

    /// - Parameters:
    ///   - end: Of what was sent, with what asks for an acknowledgement, since the connection is there.
    ///   - acknowledged: What is acknowledged of it.
    package mutating func sent(upTo end: Int64, _ acknowledged: Int64, at time: MonotonicTime) {
        guard round == nil else { return }
        if let lastWord, time - lastWord > Self.memory { reset() }
        round = Round(
            end: end, start: time, acknowledged: acknowledged, isShort: end - acknowledged <= Self.leastWindow)
    }

    package mutating func acknowledged(upTo end: Int64, at time: MonotonicTime) {
        lastWord = time
        guard let round, end >= round.end else { return }
        self.round = nil
        // A nanosecond: two readings of the clock may be the same.
        let seconds = max(time.seconds(since: round.start), 1e-9)
        note(roundTrip: seconds, isShort: round.isShort, at: time)
        note(bandwidth: Double(end - round.acknowledged) / seconds)
        let wasFull = wasLimited
        wasLimited = false
        guard let bandwidth, let shortest, !isRefreshing else {
            (window, pieceBytes) = (Self.leastWindow, Self.leastPiece)
            return
        }
        let variation = Self.variation * min(usual?.deviation ?? 0, shortest.seconds)
        var wanted = bandwidth * (shortest.seconds + Self.waiting + variation)
        if seconds > shortest.seconds * Self.longer + Self.longerBy { isStarting = false }
        if isStarting, wasFull { wanted = max(wanted, Double(window) * Self.growth) }
        window = Self.bounded(wanted, Self.leastWindow, Self.largestWindow)
        pieceBytes = Self.bounded(bandwidth / Self.piecesPerSecond, Self.leastPiece, LinkLimits.frameBytes)
    }

    private mutating func note(roundTrip seconds: Double, isShort: Bool, at time: MonotonicTime) {
        if isRefreshing, isShort {
            isRefreshing = false
            shortest = (seconds, time)
        } else if let shortest, seconds > shortest.seconds {
            if time - shortest.since > Self.belief { isRefreshing = true }
        } else {
            shortest = (seconds, time)
        }
        guard !isRefreshing else { return }
        guard let former = usual else {
            usual = (seconds, 0)
            return
        }
        usual = (
            former.seconds + (seconds - former.seconds) * Self.weight,
            former.deviation + (abs(seconds - former.seconds) - former.deviation) * Self.weight
        )
    }

    private mutating func note(bandwidth sample: Double) {
        guard let former = bandwidth else {
            bandwidth = sample
            return
        }
        // What was not limited says only what the link carries at least.
        guard wasLimited, !isRefreshing else {
            bandwidth = max(former, sample)
            return
        }
        bandwidth = (former + sample) / 2
    }

    private static func bounded(_ value: Double, _ least: Int, _ most: Int) -> Int {
        Int(min(max(value, Double(least)), Double(most)))
    }
}
