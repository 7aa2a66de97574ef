/// A key of the dictionary that `observeValue(forKeyPath:of:change:context:)` receives. Foundation on Linux lacks this
/// type; names and raw values are Apple's.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    /// The key as text.
    public let rawValue: String
    /// Creates a key from text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind of the change, a number: the raw value of a ``NSKeyValueChange``.
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    /// The new value; absent without the option `.new`.
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    /// The old value; absent without the option `.old`, and before the first change.
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    /// Never in the dictionary: no property is a collection that changes in parts.
    public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
    /// Never in the dictionary: changes are reported only after they happen.
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}
