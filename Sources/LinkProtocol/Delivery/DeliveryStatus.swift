/// Where a message stands, as one side sees it.
public enum DeliveryStatus: String, CaseIterable, Sendable {
    case sent = "Sent"
    case received = "Received"
    case replied = "Replied"
    case failed = "Failed"

    /// Every legal step, for both sides. The sender goes sent → replied or sent → failed, and failed → sent on a retry; the
    /// receiver goes received → replied or received → failed. Nothing follows replied.
    static let transitions: [DeliveryStatus: Set<DeliveryStatus>] = [
        .sent: [.replied, .failed],
        .received: [.replied, .failed],
        .failed: [.sent],
        .replied: [],
    ]

    /// The next status, if the step to it is legal.
    ///
    /// - Throws: ``IllegalTransition``, naming both.
    public func becoming(_ next: DeliveryStatus) throws(IllegalTransition) -> DeliveryStatus {
        guard Self.transitions[self]?.contains(next) == true else { throw IllegalTransition(from: self, to: next) }
        return next
    }
}
