/// A fault in the simulation's own part of a run, to show that an invariant can fail. The product has none of these.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// The host's database does not check for a quiz it already has.
    case storesTwice = "stores-twice"
    /// The companion reports “accepted” before the quiz is durable.
    case acceptsUnsynced = "accepts-unsynced"
    /// The host replies before the quiz is durable.
    case repliesUnsynced = "replies-unsynced"
    /// A refused quiz is recorded without a cause.
    case forgetsCause = "forgets-cause"
    /// The receiver's inbox postpones some transfers and accepts later ones first.
    case overtakes = "overtakes"
    /// The companion does not name the predecessor of a quiz.
    case forgetsPredecessor = "forgets-predecessor"
    /// A late reply calls the handler again.
    case repliesTwice = "replies-twice"
    /// A failed message is reported as replied without having been resent.
    case skipsStatus = "skips-status"
    /// The receiver sometimes keeps its old context.
    case keepsOldContext = "keeps-old-context"
    /// The receiver sometimes acknowledges a transfer that it has not kept.
    case losesTransfers = "loses-transfers"
    /// Packages delivered to the delegate are never counted as handled.
    case neverHandled = "never-handled"
    /// The companion's outbox ignores its timer.
    case neverRetries = "never-retries"
    /// Peers write everything immediately.
    case writesAtOnce = "writes-at-once"
    /// The app is told twice that a counterpart is reachable.
    case tellsTwice = "tells-twice"
    /// The phone sometimes ignores the state that a watch reports.
    case hidesState = "hides-state"
    /// A device sometimes takes minutes to deliver a transfer.
    case dawdles = "dawdles"
    /// A delivery is not noted in the ledger.
    case forgetsNotes = "forgets-notes"
    /// A connection's timer is a second late.
    case oversleeps
    /// Any watch counts as paired.
    case admitsAll = "admits-all"
    /// A device takes transfers for an app that was removed.
    case takesAll = "takes-all"
    /// A rule for incoming packages is not applied.
    case sparesPackages = "spares-packages"
    /// The sender's delegate sometimes does not get the end of a transfer.
    case hidesEnds = "hides-ends"
    /// Only messages are sent while one waits for its reply.
    case starvesTransfers = "starves-transfers"

    /// The invariant it breaks.
    package var invariant: Invariant {
        switch self {
        case .storesTwice, .acceptsUnsynced, .repliesUnsynced, .forgetsCause: .storedOnce
        case .overtakes, .forgetsPredecessor: .order
        case .repliesTwice: .oneHandler
        case .skipsStatus: .legalStatus
        case .keepsOldContext: .latestContext
        case .losesTransfers: .transfersArrive
        case .neverHandled: .bounded
        case .hidesEnds: .settles
        case .writesAtOnce: .messagesFirst
        case .tellsTwice: .toldInOrder
        case .hidesState: .tellsTruth
        case .dawdles: .prompt
        case .forgetsNotes: .notes
        case .neverRetries, .oversleeps: .onTime
        case .admitsAll: .admits
        case .takesAll: .takes
        case .sparesPackages: .hits
        case .starvesTransfers: .transfersGoOn
        }
    }
}
