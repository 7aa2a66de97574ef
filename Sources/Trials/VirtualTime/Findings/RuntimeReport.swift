/// The line that Swift's runtime prints before it stops a program.
package enum RuntimeReport {
    /// The words of a trap, of a condition that is checked in release builds too, and of one that debug builds check.
    static let words = ["Fatal error", "Precondition failed", "Assertion failed"]

    package static func isLine(_ line: some StringProtocol) -> Bool { words.contains { line.contains($0) } }
}
