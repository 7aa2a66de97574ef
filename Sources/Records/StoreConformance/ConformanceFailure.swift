/// A promise that a store did not keep, with what came instead.
public struct ConformanceFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text: the expectation, and what came.
    public let description: String

    /// Creates a failure.
    public init(_ description: String) { self.description = description }
}
