/// An executable whose build cannot be told.
public struct BuildIdentityError: Error, Equatable, Sendable, CustomStringConvertible {
    public let path: String
    public let detail: String

    public var description: String { "cannot tell the build of \(path): \(detail)" }
}
