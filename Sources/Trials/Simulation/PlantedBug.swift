/// A fault in the simulation's own part of a run, to see that an invariant can fail. The product has none of them.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// The host's database does not look whether it has a quiz.
    case storesTwice = "stores-twice"
    /// The companion says “accepted” before its disk has the quiz.
    case acceptsUnsynced = "accepts-unsynced"
    /// The host replies before its disk has the quiz.
    case repliesUnsynced = "replies-unsynced"
    /// A refused quiz is recorded without saying why.
    case forgetsCause = "forgets-cause"
    /// The receiver's inbox puts some transfers off, and takes what comes behind them.
    case overtakes = "overtakes"
    /// The companion does not name the quiz that it sent before.
    case forgetsPredecessor = "forgets-predecessor"
    /// A late reply calls the handler once more.
    case repliesTwice = "replies-twice"
    /// A message that has failed is told to be replied without having been sent again.
    case skipsStatus = "skips-status"
    /// The receiver keeps the context that it has, now and then.
    case keepsOldContext = "keeps-old-context"
    /// The receiver says that it has a transfer, and has not kept it, now and then.
    case losesTransfers = "loses-transfers"
    /// What the delegate has had is never counted as handled.
    case neverHandled = "never-handled"
    /// The companion's outbox does not look at its clock.
    case neverRetries = "never-retries"
    /// Peers write all that they have at once.
    case writesAtOnce = "writes-at-once"
    /// Nothing but messages goes out while one waits for its reply.
    case starvesTransfers = "starves-transfers"

    /// What it breaks.
    package var invariant: Invariant {
        switch self {
        case .storesTwice, .acceptsUnsynced, .repliesUnsynced, .forgetsCause: .storedOnce
        case .overtakes, .forgetsPredecessor: .order
        case .repliesTwice: .oneHandler
        case .skipsStatus: .legalStatus
        case .keepsOldContext: .latestContext
        case .losesTransfers: .transfersArrive
        case .neverHandled: .bounded
        case .neverRetries: .settles
        case .writesAtOnce: .messagesFirst
        case .starvesTransfers: .transfersGoOn
        }
    }
}
