/// Every event that the services log: the catalogue. The texts are an interface, matched by tests and by people's scripts:
/// changing one is changing an API. What varies goes into fields (``LogField``).
public enum LogEvent: String, CaseIterable, Sendable {
    // Life cycle
    case starting = "starting"
    case ready = "ready"
    case signalReceived = "signal received"
    case stopping = "stopping"
    case stopped = "stopped"
    case startFailed = "start failed"

    // Link
    case linkListening = "link listening"
    case staleSocketReplaced = "stale socket replaced"
    case peerConnected = "peer connected"
    case peerDisconnected = "peer disconnected"
    case peerReplaced = "peer replaced"
    case peerRefused = "peer refused"
    case peerMisbehaved = "peer misbehaved"
    case connectFailed = "connect failed"
    case acceptFailed = "accept failed"
    case readingPaused = "reading paused"
    case readingResumed = "reading resumed"
    case packageOut = "package out"
    case packageIn = "package in"
    case linkConditioned = "link conditioned"
    case linkFlapped = "link flapped"
    case faultInjected = "fault injected"
    case faultsChanged = "faults changed"

    // Session
    case sessionActivated = "session activated"
    case sessionActivationFailed = "session activation failed"
    case reachabilityChanged = "reachability changed"
    case messageSent = "message sent"
    case messageReceived = "message received"
    case messageReplied = "message replied"
    case messageFailed = "message failed"
    case replyDropped = "reply handler dropped"
    case replyRepeated = "reply handler called twice"
    case replyTooLate = "reply too late"
    case replyToNothing = "reply to nothing"
    case delegateMissing = "delegate missing"
    case delegateMethodMissing = "delegate method missing"

    case sessionInactive = "session inactive"
    case sessionDeactivated = "session deactivated"
    case applicationStateChanged = "application state changed"
    case applicationLaunched = "application launched"
    case refreshTaskGiven = "refresh task given"
    case refreshTasksCompleted = "refresh tasks completed"
    case companionChanged = "companion changed"
    case hint = "hint"
    case delegateQueueIdle = "delegate queue idle"

    // Transfers
    case transferQueued = "transfer queued"
    case transferSent = "transfer sent"
    case transferInterrupted = "transfer interrupted"
    case transferRetryScheduled = "transfer retry scheduled"
    case transferFinished = "transfer finished"
    case transferFailed = "transfer failed"
    case transferCancelled = "transfer cancelled"
    case transferReceived = "transfer received"
    case transferRepeated = "transfer repeated"
    case transferDelivered = "transfer delivered"
    case contextUnchanged = "context unchanged"
    case contextCoalesced = "context coalesced"
    case fileResumed = "file resumed"
    case fileDamaged = "file damaged"
    case fileSystemFailed = "file system failed"
    case ledgerIncomplete = "ledger incomplete"

    // Quizzes
    case quizAccepted = "quiz accepted"
    case quizRejected = "quiz rejected"
    case quizSent = "quiz sent"
    case quizReplied = "quiz replied"
    case quizRetryScheduled = "quiz retry scheduled"
    case quizFailed = "quiz failed"
    case quizReceived = "quiz received"
    case quizStored = "quiz stored"
    case quizRepeated = "quiz repeated"
    case quizRefused = "quiz refused"
    case quizUpdated = "quiz updated"
    case quizDeleted = "quiz deleted"
    case acknowledgementUnreadable = "acknowledgement unreadable"

    // Databases
    case databaseOpened = "database opened"
    case databaseUnavailable = "database unavailable"
    case databaseRecovered = "database recovered"

    // Control socket
    case controlListening = "control listening"
    case controlRequest = "control request"
    case controlRequestRefused = "control request refused"

    // Background tasks of the companion
    case backgroundTasksCompleted = "background tasks completed"
    case snapshotScheduled = "snapshot scheduled"

    /// How much the event matters. Error: needs a person. Warning: odd but handled. Notice: life cycle. Info: each message.
    public var level: LogLevel {
        switch self {
        case .startFailed: .critical
        case .databaseUnavailable, .acceptFailed, .sessionActivationFailed, .fileSystemFailed, .ledgerIncomplete: .error
        case .staleSocketReplaced, .peerReplaced, .peerRefused, .peerMisbehaved, .replyDropped, .replyRepeated,
            .replyTooLate,
            .replyToNothing, .delegateMissing, .delegateMethodMissing, .quizRejected, .quizFailed, .quizRefused,
            .acknowledgementUnreadable, .controlRequestRefused, .messageFailed, .quizRetryScheduled,
            .hint, .transferFailed, .transferRetryScheduled, .fileDamaged:
            .warning
        case .starting, .ready, .signalReceived, .stopping, .stopped, .linkListening, .peerConnected, .peerDisconnected,
            .sessionActivated, .sessionInactive, .sessionDeactivated, .applicationStateChanged, .applicationLaunched,
            .companionChanged, .reachabilityChanged, .databaseOpened, .databaseRecovered, .controlListening,
            .linkConditioned, .linkFlapped, .faultsChanged:
            .notice
        case .quizAccepted, .quizSent, .quizReplied, .quizReceived, .quizStored, .quizRepeated, .quizUpdated,
            .quizDeleted,
            .backgroundTasksCompleted, .snapshotScheduled, .connectFailed, .refreshTaskGiven, .refreshTasksCompleted,
            .transferQueued, .transferSent, .transferInterrupted, .transferFinished, .transferCancelled,
            .transferReceived, .transferRepeated, .transferDelivered, .contextUnchanged, .contextCoalesced,
            .fileResumed, .faultInjected:
            .info
        case .delegateQueueIdle, .messageSent, .messageReceived, .messageReplied, .readingPaused, .readingResumed,
            .packageOut, .packageIn,
            .controlRequest:
            .debug
        }
    }
}
