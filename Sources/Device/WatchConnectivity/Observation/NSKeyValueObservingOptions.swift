/// Which values an observer is given, and when. Foundation on Linux lacks it; the names and numbers are Apple's.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// Call once at once, with the present value.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// Has no effect: nothing is told before it has changed.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}
