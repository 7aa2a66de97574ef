public import Foundation

/// What changed. Foundation on Linux lacks it; the members are Apple's.
public struct NSKeyValueObservedChange<Value> {
    public enum Kind: UInt, Sendable {
        case setting = 1
        case insertion, removal, replacement
    }

    /// Always `setting`: no property of a session is a collection that changes in parts.
    public let kind: Kind
    /// Only with the option `.new`.
    public let newValue: Value?
    /// Only with the option `.old`.
    public let oldValue: Value?
    /// Always nil; see ``kind``.
    public let indexes: IndexSet?
    /// Always false: nothing is told before it has changed.
    public let isPrior: Bool
}
