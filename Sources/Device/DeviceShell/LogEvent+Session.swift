import DeviceEngine
package import EventLog
import LinkTransport

/// The events of sessions and transfers.
extension LogEvent {
    package static let faultInjected = LogEvent("fault injected", .info, .link, "An injected fault affected a package.")
    package static let faultsChanged = LogEvent("faults changed", .notice, .link, "The fault rules were changed.")
    package static let sessionActivated = LogEvent("session activated", .notice, .session, "The session was activated.")
    package static let sessionActivationFailed = LogEvent(
        "session activation failed", .error, .session,
        "The session could not be activated.")
    package static let reachabilityChanged = LogEvent(
        "reachability changed", .notice, .session,
        "The counterpart's app became reachable or unreachable.")
    package static let messageSent = LogEvent("message sent", .debug, .session, "A message was sent.")
    package static let messageReplied = LogEvent("message replied", .debug, .session, "A message was replied to.")
    package static let messageReceived = LogEvent("message received", .debug, .session, "A message arrived.")
    package static let replyDropped = LogEvent(
        "reply handler dropped", .warning, .session,
        "A delegate released a reply handler without calling it.")
    package static let replyRepeated = LogEvent(
        "reply handler called twice", .warning, .session,
        "A delegate called a reply handler twice.")
    package static let delegateMissing = LogEvent(
        "delegate missing", .warning, .session,
        "Content arrived, but the session has no delegate.")
    package static let delegateMethodMissing = LogEvent(
        "delegate method missing", .warning, .session,
        "Content arrived, but the delegate does not implement the method for it.")
    package static let sessionInactive = LogEvent(
        "session inactive", .notice, .session,
        "The phone is switching to another watch; transfers in flight finish first.")
    package static let sessionDeactivated = LogEvent(
        "session deactivated", .notice, .session,
        "The session with the previous watch has ended.")
    package static let applicationStateChanged = LogEvent(
        "application state changed", .notice, .session,
        "The app moved to the foreground or background, or ended.")
    package static let applicationLaunched = LogEvent(
        "application launched", .notice, .background,
        "The app was launched in the background.")
    package static let refreshTaskGiven = LogEvent(
        "refresh task given", .info, .background,
        "The app got background time.")
    package static let refreshTasksCompleted = LogEvent(
        "refresh tasks completed", .info, .background,
        "The app completed its background tasks.")
    package static let companionChanged = LogEvent(
        "companion changed", .notice, .session,
        "A watch was paired, unpaired, or its app changed.")
    package static let pairingCodeMade = LogEvent(
        "pairing code made", .notice, .session,
        "A new pairing code replaced the previous one.")
    package static let pairingCodeAccepted = LogEvent(
        "pairing code accepted", .notice, .session,
        "A new watch presented the pairing code and is paired.")
    package static let pairingCodeRefused = LogEvent(
        "pairing code refused", .warning, .session,
        "A new watch presented no pairing code, or one that cannot be accepted.")
    package static let controlMissing = LogEvent(
        "control missing", .notice, .session,
        "The command line cannot reach the device: its program is not linked with DeviceControl.")
    package static let hint = LogEvent(
        "hint", .warning, .session,
        "The app misuses the session. Each hint is logged once; only a delegate method that does not return is reported again."
    )
    package static let delegateQueueIdle = LogEvent(
        "delegate queue idle", .debug, .session,
        "The delegate has handled everything.")
    package static let delegateReturned = LogEvent(
        "delegate method has returned", .notice, .session,
        "A delegate method that was reported as overdue has returned.")
    package static let transferQueued = LogEvent(
        "transfer queued", .info, .transfers,
        "A transfer was stored and waits to be sent.")
    package static let transferCancelled = LogEvent(
        "transfer cancelled", .info, .transfers,
        "A transfer was cancelled.")
    package static let contextUnchanged = LogEvent(
        "context unchanged", .info, .transfers,
        "An application context that equals the last one was not sent.")
    package static let recordingStarted = LogEvent(
        "recording started", .notice, .session,
        "The device's events are being recorded into a cassette.")
    package static let recordingFinished = LogEvent(
        "recording finished", .notice, .session,
        "A cassette has all events of its recording.")
    package static let recordingIncomplete = LogEvent(
        "recording incomplete", .warning, .session,
        "A cassette lacks some events of its recording.")
    package static let nothingKept = LogEvent(
        "nothing kept", .warning, .session,
        "No recorded content has a key path whose values the recording is to keep: it may be misspelt.")
    package static let recordingFailed = LogEvent(
        "recording failed", .error, .session,
        "The device could not be recorded as its configuration demands.")
    package static let ledgerIncomplete = LogEvent(
        "ledger incomplete", .error, .transfers,
        "Some entries of the ledger are missing.")

    /// All session events, in the order of the manual page.
    package static let ofSessions = [
        faultInjected, faultsChanged, sessionActivated, sessionActivationFailed, reachabilityChanged, messageSent,
        messageReplied, messageReceived,
        replyDropped, replyRepeated, delegateMissing, delegateMethodMissing, sessionInactive, sessionDeactivated,
        applicationStateChanged, applicationLaunched, refreshTaskGiven, refreshTasksCompleted, companionChanged,
        pairingCodeMade, pairingCodeAccepted, pairingCodeRefused, controlMissing, hint, delegateQueueIdle,
        delegateReturned,
        transferQueued, transferCancelled, contextUnchanged, recordingStarted, recordingFinished, recordingIncomplete,
        nothingKept, recordingFailed, ledgerIncomplete,
    ]
}
