/// The status of a message, as one side sees it.
public enum DeliveryStatus: String, CaseIterable, Sendable {
    /// The message was sent and is not answered yet.
    case sent = "Sent"
    /// The message arrived at the receiver.
    case received = "Received"
    /// The message was answered or acknowledged.
    case replied = "Replied"
    /// The message failed; the sender may retry it.
    case failed = "Failed"

    /// Returns the next status if the transition is legal, on either side. The sender goes sent → replied or sent →
    /// failed, and failed → sent on a retry; the receiver goes received → replied or received → failed. Nothing follows
    /// replied.
    ///
    /// - Throws: ``IllegalTransition`` with both statuses.
    public func becoming(_ next: DeliveryStatus) throws(IllegalTransition) -> DeliveryStatus {
        switch (self, next) {
        case (.sent, .replied), (.sent, .failed), (.received, .replied), (.received, .failed), (.failed, .sent): next
        default: throw IllegalTransition(from: self, to: next)
        }
    }
}
