import VirtualTime

/// The two programs of a replay after its end.
struct PlayedCast {
    struct Part {
        /// The way in which it failed; nil if it did not.
        var failure: String?
        /// The way in which it ended without a failure; nil if it did not end by itself.
        var exit: String?
        /// The call of its delegate that never returned, and who waits for whom; nil if each did, and in real time.
        var hang: String?
        /// The microseconds from the start of the replay to its end; nil if they are not known.
        var end: Int64?
        /// The lines by which it said itself that something is wrong, but for those about a call that never returns.
        var complaints: [ComplaintWord] = []
        /// The lines of its standard error.
        var lines: [String]
    }

    let app: Part
    /// The counterpart's failure includes an early end.
    let counterpart: Part
}
