/// Where a message stands, as one side sees it.
public enum DeliveryStatus: String, CaseIterable, Sendable {
    case sent = "Sent"
    case received = "Received"
    case replied = "Replied"
    case failed = "Failed"

    /// The next status, if the step to it is legal: for both sides. The sender goes sent → replied or sent → failed, and
    /// failed → sent on a retry; the receiver goes received → replied or received → failed. Nothing follows replied.
    ///
    /// - Throws: ``IllegalTransition``, naming both.
    public func becoming(_ next: DeliveryStatus) throws(IllegalTransition) -> DeliveryStatus {
        switch (self, next) {
        case (.sent, .replied), (.sent, .failed), (.received, .replied), (.received, .failed), (.failed, .sent): next
        default: throw IllegalTransition(from: self, to: next)
        }
    }
}
