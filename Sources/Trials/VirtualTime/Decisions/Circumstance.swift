/// What a person wants to know about a decision: when it was taken, by whom, and what it was about.
public struct Circumstance: Hashable, Sendable {
    /// Nanoseconds of the virtual time of the performance.
    public let time: Int64
    /// The call at which the scheduler decided, or the subject of another question; empty if nobody gave one.
    public let subject: String
    /// The number of the thread that asked, from 0, the main thread; nil for the conductor's decisions.
    public let thread: Int32?
    /// The thread for which it was decided: that goes on, is woken, or is late.
    public let chosen: Int32?

    public init(time: Int64, subject: String, thread: Int32? = nil, chosen: Int32? = nil) {
        (self.time, self.subject, self.thread, self.chosen) = (time, subject, thread, chosen)
    }
}
