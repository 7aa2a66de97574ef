/// The values that an observer receives, and when. Foundation on Linux lacks this type; names and raw values are
/// Apple's.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// The options as a bit mask.
    public let rawValue: UInt
    /// Creates options from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Report the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// Report the old value.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// Call the handler once immediately, with the current value.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// Has no effect: changes are reported only after they happen.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}
