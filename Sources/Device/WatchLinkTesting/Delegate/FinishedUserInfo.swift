/// A user info transfer that ended.
// Proof of `@unchecked Sendable`: the dictionary consists of the property list values of a transfer, which nobody
// changes.
public struct FinishedUserInfo: @unchecked Sendable {
    /// The dictionary.
    public let userInfo: [String: Any]
    /// The error; nil if the counterpart has it.
    public let error: (any Error)?
}
