/// An operation of a store that failed; nothing was changed.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The consequence of a failure.
    public enum Kind: Sendable, Equatable, CaseIterable {
        /// The store may recover by itself: it is locked, out of reach, out of space or failing over. Try again later.
        case unavailable
        /// The store is missing, empty, replaced or an older copy: a person must act before it can be used.
        case displaced
        /// The store is damaged: a person must restore it.
        case damaged
        /// The store refuses the operation, and will refuse it again: permissions, a newer schema, an invalid value.
        case refused
    }

    /// The consequence.
    public let kind: Kind
    /// The text: the attempt, the store, the cause, and the next step for a person.
    public let description: String

    /// Creates an error.
    public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}
