/// The pauses between attempts: doubled each time, with jitter so that a thousand hosts do not come back together.
package struct Backoff: Sendable {
    /// The first pause. 20 ms: a restarted connection costs the server about a tenth of that.
    package static let shortest: Duration = .milliseconds(20)
    /// The longest pause. 500 ms: after a fail-over, a host is back within a second of the promotion.
    package static let longest: Duration = .milliseconds(500)

    private var next = shortest

    package init() {}

    /// Returns the next pause: between half and the whole of the current limit.
    ///
    /// - Parameter jitter: A random number from 0 to 1.
    package mutating func pause(jitter: Double) -> Duration {
        let pause = next * (0.5 + 0.5 * min(max(jitter, 0), 1))
        next = min(next * 2, Self.longest)
        return pause
    }
}
