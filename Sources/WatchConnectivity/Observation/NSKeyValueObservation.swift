public import Foundation

/// Which values an observer is given, and when. Foundation on Linux lacks it; the names and numbers are Apple's.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// Call once at once, with the present value.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

/// What changed.
public struct NSKeyValueObservedChange<Value> {
    /// Only with the option `.new`.
    public let newValue: Value?
    /// Only with the option `.old`.
    public let oldValue: Value?
}

/// An observation: it lasts as long as this object, or until ``invalidate()``.
public final class NSKeyValueObservation: NSObject, Sendable {
    private let onInvalidate: @Sendable () -> Void

    init(onInvalidate: @escaping @Sendable () -> Void) { self.onInvalidate = onInvalidate }

    /// Ends the observation. Calling it again does nothing.
    public func invalidate() { onInvalidate() }

    deinit { onInvalidate() }
}
