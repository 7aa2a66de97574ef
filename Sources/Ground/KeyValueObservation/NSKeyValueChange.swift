/// The kind of a change, with Apple's raw values. Foundation on Linux lacks this type.
public enum NSKeyValueChange: UInt, Sendable {
    /// The property was set.
    case setting = 1
    /// Changes of a collection; never reported here.
    case insertion, removal, replacement
}
