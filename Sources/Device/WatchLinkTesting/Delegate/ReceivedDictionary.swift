/// A dictionary that arrived: a message, an application context or a user info.
// Proof of `@unchecked Sendable`: the values of a decoded property list are immutable.
public struct ReceivedDictionary: @unchecked Sendable {
    /// The dictionary.
    public let values: [String: Any]
    /// True for a message whose sender waits for a reply.
    public let expectsReply: Bool

    init(_ values: [String: Any], expectsReply: Bool = false) {
        self.values = values
        self.expectsReply = expectsReply
    }

    /// Returns the value of a key; nil if there is none.
    public subscript(key: String) -> Any? { values[key] }
}
