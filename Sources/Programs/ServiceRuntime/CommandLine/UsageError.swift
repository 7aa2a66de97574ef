/// An error in the command line.
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The message for the user.
    public let description: String
    /// Creates an error with a message.
    public init(_ description: String) { self.description = description }
}
