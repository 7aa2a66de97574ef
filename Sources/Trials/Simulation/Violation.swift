/// An invariant that did not hold, with details.
package struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
    package let invariant: Invariant
    package let detail: String
    /// Seconds of simulated time.
    package let time: Double

    package var description: String { "“\(invariant.rawValue)” does not hold at \(time) s: \(detail)" }
}
