public import Foundation

/// The change of an observed property. Foundation on Linux lacks this type; the members are Apple's.
public struct NSKeyValueObservedChange<Value> {
    /// The kind of a change.
    public typealias Kind = NSKeyValueChange

    /// Always `setting`: no property of a session is a collection that changes in parts.
    public let kind: Kind
    /// The new value; nil without the option `.new`.
    public let newValue: Value?
    /// The old value; nil without the option `.old`.
    public let oldValue: Value?
    /// Always nil; see ``kind``.
    public let indexes: IndexSet?
    /// Always false: changes are reported only after they happen.
    public let isPrior: Bool
}
