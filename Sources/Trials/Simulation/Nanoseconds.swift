import LinkProtocol

/// A span of simulated time: a plain number, as a run adds millions of them.
typealias Nanoseconds = Int64

extension Nanoseconds {
    static var second: Nanoseconds { 1_000_000_000 }
}

extension MonotonicTime {
    func advanced(_ span: Nanoseconds) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds &+ span) }
}
