/// The periods and time-outs of the link. All are measured on the monotonic clock.
public struct LinkTimes: Sendable, Equatable {
    /// The deadline for the peer's hello. 5 s: a local peer needs milliseconds; a slow-loris attack gains no more time.
    public var hello: Duration = .seconds(5)
    /// The idle time after which a heartbeat is sent.
    public var heartbeat: Duration = .seconds(10)
    /// The silence after which the peer is considered dead: three heartbeats plus a margin.
    public var silence: Duration = .seconds(35)
    /// The time-out of a reply. Apple documents no value; clients commonly set 30 s themselves.
    public var reply: Duration = .seconds(30)
    /// The time without an acknowledgement after which a transfer in flight is resent. 60 s: a silent peer is
    /// disconnected before that, after ``silence``.
    public var acknowledgement: Duration = .seconds(60)

    /// Creates the default periods.
    public init() {}
}
