/// The error for an executable whose build cannot be determined.
public struct BuildIdentityError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path of the executable.
    public let path: String
    /// The reason.
    public let detail: String

    public var description: String { "cannot determine the build of \(path): \(detail)" }
}
