/// One message of this side, from its sending to its end.
///
///     awaitsReply, awaitsDelivery ── replied, failed or the deadline ──► over
///
/// It lives in a table. Each event returns the next state, and what it means for the sender beside it: neither can be forgotten.
enum OutgoingDelivery: Equatable, Sendable {
    /// Its handler waits for a reply until then.
    case awaitsReply(until: MonotonicTime)
    /// Its sender wants to know that it arrived, and no more.
    case awaitsDelivery(until: MonotonicTime)
    /// Nothing follows: no table keeps it.
    case over

    init(wantsReply: Bool, deadline: MonotonicTime) {
        self = wantsReply ? .awaitsReply(until: deadline) : .awaitsDelivery(until: deadline)
    }

    enum Answer: Equatable, Sendable {
        case replied
        case delivered
        case failed
    }

    /// - Throws: ``IllegalTransition`` for a status that cannot follow; the message goes on waiting.
    func answered(with status: DeliveryStatus) throws(IllegalTransition) -> (next: OutgoingDelivery, answer: Answer) {
        let isReplied = try DeliveryStatus.sent.becoming(status) == .replied
        switch self {
        case .awaitsReply: return (.over, isReplied ? .replied : .failed)
        case .awaitsDelivery: return (.over, isReplied ? .delivered : .failed)
        case .over: preconditionFailure("an answer to a message that is over")
        }
    }

    /// - Parameter deadline: One that was set for a message of this identifier; it may have been that of an earlier try.
    func deadlinePassed(_ deadline: MonotonicTime) -> (next: OutgoingDelivery, isOverdue: Bool) {
        switch self {
        case .awaitsReply(let own), .awaitsDelivery(let own): own == deadline ? (.over, true) : (self, false)
        case .over: preconditionFailure("a deadline of a message that is over")
        }
    }
}
