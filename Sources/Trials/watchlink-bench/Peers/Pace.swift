import LinkProtocol
import LinkTransport

/// Counts and times replies until the time is over. The first tenth is for warming up and does not count.
struct Pace {
    private let warm: MonotonicTime
    private let end: MonotonicTime
    private(set) var latencies = Latencies()
    private var began: MonotonicTime?
    private var last: MonotonicTime

    init(seconds: Double) {
        let start = MonotonicTime.now
        warm = start + .nanoseconds(Int64(seconds * 1e8))
        end = warm + .nanoseconds(Int64(seconds * 1e9))
        last = start
    }

    /// Records a reply to a message sent at the given time. Returns false when the time is over.
    mutating func received(sentAt start: MonotonicTime) -> Bool {
        let now = MonotonicTime.now
        guard now >= warm else { return true }
        guard began != nil else {
            began = now
            return true
        }
        guard now < end else { return false }
        latencies.record(now.nanoseconds - start.nanoseconds)
        last = now
        return true
    }

    /// True once replies count.
    var isWarm: Bool { began != nil }

    var outcome: Outcome {
        Outcome(latencies, seconds: began.map { (last - $0).inSeconds } ?? 0)
    }
}
