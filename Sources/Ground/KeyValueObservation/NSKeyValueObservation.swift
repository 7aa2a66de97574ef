public import Foundation

/// An observation, which lasts as long as this object or until ``invalidate()``.
public final class NSKeyValueObservation: NSObject, Sendable {
    private let onInvalidate: @Sendable () -> Void

    init(onInvalidate: @escaping @Sendable () -> Void) { self.onInvalidate = onInvalidate }

    /// Ends the observation. Further calls do nothing.
    public func invalidate() { onInvalidate() }

    deinit { onInvalidate() }
}
