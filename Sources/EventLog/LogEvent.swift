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
    case configurationLoaded = "configuration loaded"
    case configurationRefused = "configuration refused"
    case socketsActivated = "sockets activated"
    case socketUnused = "socket unused"
    case watchdogArmed = "watchdog armed"
    case notifyFailed = "notify failed"
    case logLevelChanged = "log level changed"
    case logReopened = "log reopened"
    case logLinesDropped = "log lines dropped"
    case metricsNotWritten = "metrics not written"

    // Link
    case linkListening = "link listening"
    case staleSocketReplaced = "stale socket replaced"
    case peerConnected = "peer connected"
    case peerDisconnected = "peer disconnected"
    case peerReplaced = "peer replaced"
    case peerRefused = "peer refused"
    case peerMisbehaved = "peer misbehaved"
    case commandRefused = "command refused"
    case connectFailed = "connect failed"
    case acceptFailed = "accept failed"
    case acceptResumed = "accept resumed"
    case socketRenewed = "socket renewed"
    case socketLost = "socket lost"
    case socketUnwatched = "socket not watched"
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
    case pairingCodeMade = "pairing code made"
    case pairingCodeAccepted = "pairing code accepted"
    case pairingCodeRefused = "pairing code refused"
    case hint = "hint"
    case delegateQueueIdle = "delegate queue idle"
    case delegateReturned = "delegate method has returned"

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
    case quizRetried = "quiz retried"
    case quizDropped = "quiz dropped"
    case quizReceived = "quiz received"
    case quizStored = "quiz stored"
    case quizRepeated = "quiz repeated"
    case quizRefused = "quiz refused"
    case quizPutOff = "quiz put off"
    case quizAheadOfClock = "quiz ahead of clock"
    case quizUpdated = "quiz updated"
    case quizDeleted = "quiz deleted"
    case quizzesImported = "quizzes imported"
    case quizzesExpired = "quizzes expired"
    case quizzesHeldBack = "quizzes held back"
    case acknowledgementUnreadable = "acknowledgement unreadable"
    case acknowledgementMistaken = "acknowledgement mistaken"

    // Databases
    case databaseOpened = "database opened"
    case databaseUnavailable = "database unavailable"
    case databaseRecovered = "database recovered"
    case databaseRepaired = "database repaired"
    case databaseBackedUp = "database backed up"
    case databaseCompacted = "database compacted"

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
        case .databaseUnavailable, .acceptFailed, .socketLost, .sessionActivationFailed, .fileSystemFailed,
            .ledgerIncomplete,
            .configurationRefused:
            .error
        case .staleSocketReplaced, .socketRenewed, .socketUnwatched, .peerReplaced, .peerRefused, .peerMisbehaved,
            .commandRefused, .replyDropped,
            .replyRepeated,
            .replyTooLate,
            .replyToNothing, .delegateMissing, .delegateMethodMissing, .quizRejected, .quizFailed, .quizRefused,
            .acknowledgementUnreadable, .acknowledgementMistaken, .quizAheadOfClock, .controlRequestRefused,
            .messageFailed, .quizRetryScheduled,
            .hint, .transferFailed, .transferRetryScheduled, .fileDamaged, .notifyFailed, .logLinesDropped,
            .metricsNotWritten, .databaseRepaired, .quizzesHeldBack, .pairingCodeRefused, .socketUnused:
            .warning
        case .starting, .ready, .signalReceived, .stopping, .stopped, .linkListening, .acceptResumed, .peerConnected,
            .peerDisconnected,
            .sessionActivated, .sessionInactive, .sessionDeactivated, .applicationStateChanged, .applicationLaunched,
            .companionChanged, .reachabilityChanged, .databaseOpened, .databaseRecovered, .controlListening,
            .linkConditioned, .linkFlapped, .faultsChanged, .configurationLoaded, .socketsActivated, .watchdogArmed,
            .logLevelChanged, .logReopened, .pairingCodeMade, .pairingCodeAccepted, .databaseBackedUp,
            .databaseCompacted, .delegateReturned:
            .notice
        case .quizAccepted, .quizSent, .quizReplied, .quizReceived, .quizStored, .quizRepeated, .quizUpdated,
            .quizDeleted, .quizPutOff, .quizRetried, .quizDropped,
            .backgroundTasksCompleted, .snapshotScheduled, .connectFailed, .refreshTaskGiven, .refreshTasksCompleted,
            .transferQueued, .transferSent, .transferInterrupted, .transferFinished, .transferCancelled,
            .transferReceived, .transferRepeated, .transferDelivered, .contextUnchanged, .contextCoalesced,
            .fileResumed, .faultInjected, .quizzesImported, .quizzesExpired:
            .info
        case .delegateQueueIdle, .messageSent, .messageReceived, .messageReplied, .readingPaused, .readingResumed,
            .packageOut, .packageIn,
            .controlRequest:
            .debug
        }
    }

    /// Which part of the service says it.
    public var subsystem: LogSubsystem {
        switch self {
        case .starting, .ready, .signalReceived, .stopping, .stopped, .startFailed, .configurationLoaded,
            .configurationRefused, .socketsActivated, .socketUnused, .watchdogArmed, .notifyFailed, .logLevelChanged,
            .logReopened,
            .logLinesDropped, .metricsNotWritten:
            .service
        case .linkListening, .staleSocketReplaced, .socketRenewed, .socketLost, .socketUnwatched, .acceptResumed,
            .peerConnected, .peerDisconnected, .peerReplaced, .peerRefused,
            .peerMisbehaved, .commandRefused, .connectFailed, .acceptFailed, .readingPaused, .readingResumed,
            .packageOut, .packageIn,
            .linkConditioned, .linkFlapped, .faultInjected, .faultsChanged:
            .link
        case .sessionActivated, .sessionActivationFailed, .reachabilityChanged, .messageSent, .messageReceived,
            .messageReplied, .messageFailed, .replyDropped, .replyRepeated, .replyTooLate, .replyToNothing,
            .delegateMissing, .delegateMethodMissing, .sessionInactive, .sessionDeactivated, .applicationStateChanged,
            .companionChanged, .pairingCodeMade, .pairingCodeAccepted, .pairingCodeRefused, .hint, .delegateQueueIdle,
            .delegateReturned:
            .session
        case .transferQueued, .transferSent, .transferInterrupted, .transferRetryScheduled, .transferFinished,
            .transferFailed, .transferCancelled, .transferReceived, .transferRepeated, .transferDelivered,
            .contextUnchanged, .contextCoalesced, .fileResumed, .fileDamaged, .fileSystemFailed, .ledgerIncomplete:
            .transfers
        case .quizAccepted, .quizRejected, .quizSent, .quizReplied, .quizRetryScheduled, .quizFailed, .quizRetried,
            .quizDropped, .quizReceived,
            .quizStored, .quizRepeated, .quizRefused, .quizPutOff, .quizAheadOfClock, .quizUpdated, .quizDeleted,
            .quizzesImported, .quizzesExpired, .quizzesHeldBack, .acknowledgementUnreadable, .acknowledgementMistaken:
            .quizzes
        case .databaseOpened, .databaseUnavailable, .databaseRecovered, .databaseRepaired, .databaseBackedUp,
            .databaseCompacted:
            .databases
        case .controlListening, .controlRequest, .controlRequestRefused: .control
        case .applicationLaunched, .refreshTaskGiven, .refreshTasksCompleted, .backgroundTasksCompleted,
            .snapshotScheduled:
            .background
        }
    }
}
