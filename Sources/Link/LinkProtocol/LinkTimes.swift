/// The periods and time-outs of the link. All are measured on the monotonic clock.
public struct LinkTimes: Sendable, Equatable {
    /// The deadline for the peer's hello. 5 s: a local peer needs milliseconds; a slow-loris attack gains no more time.
    public var hello: Duration = .seconds(5)
    /// The idle time after which a heartbeat is sent. 15 s: a device at rest is not woken more often, and a peer that
    /// is stopped is noticed as soon as with shorter ones.
    public var heartbeat: Duration = .seconds(15)
    /// The silence after which the peer is considered dead: two heartbeats plus a margin for a busy machine.
    public var silence: Duration = .seconds(35)
    /// The time-out of a reply. Apple documents no value; clients commonly set 30 s themselves.
    public var reply: Duration = .seconds(30)
    /// The time without an acknowledgement after which a transfer in flight is resent. 60 s: a silent peer is
    /// disconnected before that, after ``silence``.
    public var acknowledgement: Duration = .seconds(60)

    /// Creates the default periods.
    public init() {}
}
