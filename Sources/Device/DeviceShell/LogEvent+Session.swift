import DeviceEngine
package import EventLog
import LinkTransport

/// The events of sessions and transfers.
extension LogEvent {
    package static let faultInjected = LogEvent("fault injected", .info, .link, "A fault on demand met a package.")
    package static let faultsChanged = LogEvent("faults changed", .notice, .link, "The rules of faults were changed.")
    package static let sessionActivated = LogEvent("session activated", .notice, .session, "The session may be used.")
    package static let sessionActivationFailed = LogEvent(
        "session activation failed", .error, .session,
        "The session could not be activated.")
    package static let reachabilityChanged = LogEvent(
        "reachability changed", .notice, .session,
        "The counterpart's app can, or cannot, be reached.")
    package static let messageSent = LogEvent("message sent", .debug, .session, "A message went out.")
    package static let messageReplied = LogEvent("message replied", .debug, .session, "A message was replied to.")
    package static let messageReceived = LogEvent("message received", .debug, .session, "A message came in.")
    package static let replyDropped = LogEvent(
        "reply handler dropped", .warning, .session,
        "A delegate let go of a reply handler without calling it.")
    package static let replyRepeated = LogEvent(
        "reply handler called twice", .warning, .session,
        "A delegate called a reply handler twice.")
    package static let delegateMissing = LogEvent(
        "delegate missing", .warning, .session,
        "Something arrived, and the session has no delegate.")
    package static let delegateMethodMissing = LogEvent(
        "delegate method missing", .warning, .session,
        "Something arrived that the delegate has no method for.")
    package static let sessionInactive = LogEvent(
        "session inactive", .notice, .session,
        "The phone switches to another watch; what is under way finishes.")
    package static let sessionDeactivated = LogEvent(
        "session deactivated", .notice, .session,
        "The session with the former watch has ended.")
    package static let applicationStateChanged = LogEvent(
        "application state changed", .notice, .session,
        "The app went to the front, to the back, or away.")
    package static let applicationLaunched = LogEvent(
        "application launched", .notice, .background,
        "The app was launched in the background.")
    package static let refreshTaskGiven = LogEvent(
        "refresh task given", .info, .background,
        "The app got background time.")
    package static let refreshTasksCompleted = LogEvent(
        "refresh tasks completed", .info, .background,
        "The app gave its background time back.")
    package static let companionChanged = LogEvent(
        "companion changed", .notice, .session,
        "A watch was paired, unpaired, or its app changed.")
    package static let pairingCodeMade = LogEvent(
        "pairing code made", .notice, .session,
        "A new pairing code holds; the former one does not.")
    package static let pairingCodeAccepted = LogEvent(
        "pairing code accepted", .notice, .session,
        "A new watch showed the code and is paired.")
    package static let pairingCodeRefused = LogEvent(
        "pairing code refused", .warning, .session,
        "A new watch showed no code or a wrong one.")
    package static let controlMissing = LogEvent(
        "control missing", .notice, .session,
        "The command line cannot reach the device: its program is not linked with DeviceControl.")
    package static let hint = LogEvent(
        "hint", .warning, .session,
        "Something works against the session's contract; each hint is given once, but for a delegate method that does not return, which is told of again."
    )
    package static let delegateQueueIdle = LogEvent(
        "delegate queue idle", .debug, .session,
        "The delegate has handled everything.")
    package static let delegateReturned = LogEvent(
        "delegate method has returned", .notice, .session,
        "A delegate method that was told of as not returning has returned.")
    package static let transferQueued = LogEvent(
        "transfer queued", .info, .transfers,
        "A transfer is on the disk and waits.")
    package static let transferCancelled = LogEvent(
        "transfer cancelled", .info, .transfers,
        "A transfer was cancelled.")
    package static let contextUnchanged = LogEvent(
        "context unchanged", .info, .transfers,
        "An application context that equals the last one is not sent.")
    package static let ledgerIncomplete = LogEvent(
        "ledger incomplete", .error, .transfers,
        "Some entries of the ledger are missing.")

    /// All of these, as the manual page lists them.
    package static let ofSessions = [
        faultInjected, faultsChanged, sessionActivated, sessionActivationFailed, reachabilityChanged, messageSent,
        messageReplied, messageReceived,
        replyDropped, replyRepeated, delegateMissing, delegateMethodMissing, sessionInactive, sessionDeactivated,
        applicationStateChanged, applicationLaunched, refreshTaskGiven, refreshTasksCompleted, companionChanged,
        pairingCodeMade, pairingCodeAccepted, pairingCodeRefused, controlMissing, hint, delegateQueueIdle,
        delegateReturned,
        transferQueued, transferCancelled, contextUnchanged, ledgerIncomplete,
    ]
}
