/// Counts what an app has not been given of what came for it, and tells what of that counts as pending content: what came while it could
/// not be given. What comes in the foreground is on its way to the delegate, and pending for nobody.
///
/// What came earlier is given earlier, so that what is pending is always given before the rest.
package struct PendingContent: Equatable, Sendable {
    /// Transfers that are here, and whose delegate call has not begun.
    package private(set) var waitingCount = 0
    /// The first ones of them, which are pending.
    package private(set) var pendingCount = 0

    package init() {}

    /// - Parameter isDeliverable: Whether the app runs, its session is activated, and it has a delegate.
    package mutating func received(_ count: Int, isDeliverable: Bool) {
        waitingCount += count
        if !isDeliverable { pendingCount = waitingCount }
    }

    /// The delegate's method is about to be called with the next one.
    package mutating func began() {
        waitingCount = max(0, waitingCount - 1)
        pendingCount = max(0, pendingCount - 1)
    }
}
