/// Counts received content that the app has not seen, and the part of it that is pending: content that arrived while it
/// could not be delivered. Content that arrives in the foreground is on its way to the delegate and not pending.
///
/// Content is delivered in order of arrival, so pending content is always delivered before the rest.
package struct PendingContent: Equatable, Sendable {
    /// The number of received transfers whose delegate call has not begun.
    package private(set) var waitingCount = 0
    /// The number of pending transfers, which are the first ones of those.
    package private(set) var pendingCount = 0

    package init() {}

    /// Counts received transfers.
    ///
    /// - Parameter isDeliverable: True if the app is running with an activated session and a delegate.
    package mutating func received(_ count: Int, isDeliverable: Bool) {
        waitingCount += count
        if !isDeliverable { pendingCount = waitingCount }
    }

    /// Records that the delegate is about to be called with the next transfer.
    package mutating func began() {
        waitingCount = max(0, waitingCount - 1)
        pendingCount = max(0, pendingCount - 1)
    }
}
