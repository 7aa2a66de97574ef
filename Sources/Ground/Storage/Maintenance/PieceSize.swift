/// The size of the pieces of a long work that others wait for: it follows the time that pieces take, because a disk may
/// be a hundred times slower than another one, or than itself a moment ago.
package struct PieceSize: Sendable {
    /// The time that a piece should take. 5 ms: with a commit or two on a busy disk, others wait less
    /// than 50 ms.
    package static let wanted: Duration = .milliseconds(5)
    /// The smallest and the largest piece.
    private let range: ClosedRange<Int>
    /// The parts of the next piece.
    package private(set) var count: Int

    /// Begins with the smallest piece.
    package init(_ range: ClosedRange<Int>) {
        self.range = range
        count = range.lowerBound
    }

    /// Sets the size of the next piece from the time of the last one. It at most doubles: one quick piece proves little.
    package mutating func took(_ time: Duration) {
        let ratio = min(2, Self.wanted / max(time, .nanoseconds(1)))
        count = min(range.upperBound, max(range.lowerBound, Int(Double(count) * ratio)))
    }
}
