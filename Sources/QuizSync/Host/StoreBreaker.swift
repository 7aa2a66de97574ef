package import LinkProtocol

/// Refuses quizzes for a moment after the database failed.
///
/// What a companion has under way when its first quiz fails must fail as well, or it would be stored ahead of that one. The
/// pause is longer than messages are under way and shorter than a companion's first delay before it tries again.
package struct StoreBreaker: Sendable {
    static let pause: Duration = .milliseconds(200)
    /// What was sent together comes within this time. 50 ms: shorter than any delay between tries, so that a companion that
    /// tries again too soon is not kept out for ever.
    static let roundSpan: Duration = .milliseconds(50)

    private var openUntil: MonotonicTime?
    /// Whether the last use of the database failed.
    package private(set) var isBroken = false

    package init() {}

    /// Whether the database may be tried. A quiz that is refused keeps those out that were sent with it: when the pause ends
    /// between them, they would be stored ahead of it.
    package mutating func allows(at time: MonotonicTime) -> Bool {
        guard let end = openUntil, time < end else { return true }
        openUntil = max(end, time + Self.roundSpan)
        return false
    }

    package mutating func failed(at time: MonotonicTime) {
        openUntil = time + Self.pause
        isBroken = true
    }

    /// Whether this ends a time of failures.
    package mutating func succeeded() -> Bool {
        defer { isBroken = false }
        openUntil = nil
        return isBroken
    }
}
