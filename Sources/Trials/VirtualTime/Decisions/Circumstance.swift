/// The context of a decision, for people: its time, the thread that asked, and the subject.
public struct Circumstance: Hashable, Sendable {
    /// The virtual time of the performance, in nanoseconds.
    public let time: Int64
    /// The call at which the scheduler decided, or the subject of another question; empty if unknown.
    public let subject: String
    /// The number of the thread that asked; 0 is the main thread, nil the conductor.
    public let thread: Int32?
    /// The number of the thread that the decision resumed, woke or delayed.
    public let chosen: Int32?

    /// Creates a circumstance.
    public init(time: Int64, subject: String, thread: Int32? = nil, chosen: Int32? = nil) {
        (self.time, self.subject, self.thread, self.chosen) = (time, subject, thread, chosen)
    }
}
