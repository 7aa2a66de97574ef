/// The link's periods, as settings. All are measured on the monotonic clock.
public struct LinkTimes: Sendable, Equatable {
    /// How long a peer may take to say hello. 5 s: a local peer needs milliseconds; a slow-loris gets no more.
    public var hello: Duration = .seconds(5)
    /// After how long without sending a heartbeat goes out.
    public var heartbeat: Duration = .seconds(10)
    /// After how long without hearing anything the peer counts as dead: three heartbeats and a little.
    public var silence: Duration = .seconds(35)
    /// How long a reply may take. Apple documents no number; 30 s is what clients put on top themselves.
    public var reply: Duration = .seconds(30)
    /// How long a transfer may be under way without a word from its receiver before it is sent again. 60 s: a peer that is
    /// silent for as long as ``silence`` is given up before.
    public var acknowledgement: Duration = .seconds(60)

    public init() {}
}
