import LinkProtocol

/// Refuses quizzes for a moment after the database failed.
///
/// What a companion has under way when its first quiz fails must fail as well, or it would be stored ahead of that one. The
/// pause is longer than messages are under way and shorter than a companion's first delay before it tries again.
struct StoreBreaker {
    static let pause: Duration = .milliseconds(200)

    private var openUntil: MonotonicTime?
    /// Whether the last use of the database failed.
    private(set) var isBroken = false

    /// Whether the database may be tried.
    func allows(at time: MonotonicTime) -> Bool { openUntil.map { time >= $0 } ?? true }

    mutating func failed(at time: MonotonicTime) {
        openUntil = time + Self.pause
        isBroken = true
    }

    /// Whether this ends a time of failures.
    mutating func succeeded() -> Bool {
        defer { isBroken = false }
        openUntil = nil
        return isBroken
    }
}
