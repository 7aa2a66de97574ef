public import Foundation

/// A file transfer that ended.
// Proof of `@unchecked Sendable`: the dictionary consists of the property list values of a transfer, which nobody
// changes.
public struct FinishedFile: @unchecked Sendable {
    /// The file that was sent.
    public let fileURL: URL
    /// The dictionary that was sent with it, if any.
    public let metadata: [String: Any]?
    /// The error; nil if the counterpart has it.
    public let error: (any Error)?
}
