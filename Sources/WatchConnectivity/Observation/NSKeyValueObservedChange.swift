/// What changed.
public struct NSKeyValueObservedChange<Value> {
    /// Only with the option `.new`.
    public let newValue: Value?
    /// Only with the option `.old`.
    public let oldValue: Value?
}
