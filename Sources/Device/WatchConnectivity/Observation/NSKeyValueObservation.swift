public import Foundation

/// An observation: it lasts as long as this object, or until ``invalidate()``.
public final class NSKeyValueObservation: NSObject, Sendable {
    private let onInvalidate: @Sendable () -> Void

    init(onInvalidate: @escaping @Sendable () -> Void) { self.onInvalidate = onInvalidate }

    /// Ends the observation. Calling it again does nothing.
    public func invalidate() { onInvalidate() }

    deinit { onInvalidate() }
}
