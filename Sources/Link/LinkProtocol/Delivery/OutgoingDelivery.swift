/// The state machine of one outgoing message.
///
///     awaitsReply, awaitsDelivery ── replied, failed or the deadline ──► over
///
/// Stored in a table. Each event returns the next state together with its meaning for the sender, so that neither can
/// be forgotten.
enum OutgoingDelivery: Equatable, Sendable {
    /// The handler waits for a reply until the deadline.
    case awaitsReply(until: MonotonicTime)
    /// The sender only waits for the message to arrive.
    case awaitsDelivery(until: MonotonicTime)
    /// The final state; never stored in a table.
    case over

    init(wantsReply: Bool, deadline: MonotonicTime) {
        self = wantsReply ? .awaitsReply(until: deadline) : .awaitsDelivery(until: deadline)
    }

    enum Answer: Equatable, Sendable {
        case replied
        case delivered
        case failed
    }

    /// Handles an answer.
    ///
    /// - Throws: ``IllegalTransition`` for a status that cannot follow; the message keeps waiting.
    func answered(with status: DeliveryStatus) throws(IllegalTransition) -> (next: OutgoingDelivery, answer: Answer) {
        let isReplied = try DeliveryStatus.sent.becoming(status) == .replied
        switch self {
        case .awaitsReply: return (.over, isReplied ? .replied : .failed)
        case .awaitsDelivery: return (.over, isReplied ? .delivered : .failed)
        case .over: preconditionFailure("an answer to a completed message")
        }
    }

    /// Handles a deadline.
    ///
    /// - Parameter deadline: A deadline set for a message with this identifier, possibly for an earlier attempt.
    func deadlinePassed(_ deadline: MonotonicTime) -> (next: OutgoingDelivery, isOverdue: Bool) {
        switch self {
        case .awaitsReply(let own), .awaitsDelivery(let own): own == deadline ? (.over, true) : (self, false)
        case .over: preconditionFailure("a deadline of a completed message")
        }
    }
}
