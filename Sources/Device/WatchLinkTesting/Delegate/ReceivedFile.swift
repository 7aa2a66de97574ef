public import Foundation

/// A file that arrived, moved to where it stays as long as the delegate lives.
// Proof of `@unchecked Sendable`: the values of a decoded property list are immutable.
public struct ReceivedFile: @unchecked Sendable {
    /// The URL of the file.
    public let fileURL: URL
    /// The dictionary that was sent with it, if any.
    public let metadata: [String: Any]?
    /// The error if the file could not be moved; it is gone then.
    public let error: (any Error)?
}
