package import EventLog

extension LogSubsystem {
    package static let link = LogSubsystem("link")
}

/// The events of the link.
extension LogEvent {
    package static let linkListening = LogEvent(
        "link listening", .notice, .link,
        "The host waits for companions at a socket.")
    package static let staleSocketReplaced = LogEvent(
        "stale socket replaced", .warning, .link,
        "A dead process had left a socket; it was replaced.")
    package static let peerConnected = LogEvent(
        "peer connected", .notice, .link,
        "The counterpart is connected, and both have said hello.")
    package static let peerDisconnected = LogEvent(
        "peer disconnected", .notice, .link,
        "The connection is gone, and why.")
    package static let peerReplaced = LogEvent(
        "peer replaced", .warning, .link,
        "A device connected anew; its former connection is closed.")
    package static let peerRefused = LogEvent("peer refused", .warning, .link, "Somebody may not connect, and why.")
    package static let peerMisbehaved = LogEvent(
        "peer misbehaved", .warning, .link,
        "A peer broke the protocol; it is disconnected.")
    package static let commandRefused = LogEvent(
        "command refused", .warning, .link,
        "A peer of a newer version asked for what this side does not know, and was answered so.")
    package static let connectFailed = LogEvent(
        "connect failed", .info, .link,
        "The host is not there; it is tried again after the delay.")
    package static let acceptFailed = LogEvent(
        "accept failed", .error, .link,
        "The system gives no more connections for now.")
    package static let acceptResumed = LogEvent("accept resumed", .notice, .link, "It gives connections again.")
    package static let socketRenewed = LogEvent(
        "socket renewed", .warning, .link,
        "The socket's file, or its lock, was removed or replaced while the service runs; it was made again.")
    package static let socketLost = LogEvent(
        "socket lost", .error, .link,
        "It was removed or replaced and cannot be made again for now: nobody can connect.")
    package static let socketUnwatched = LogEvent(
        "socket not watched", .warning, .link,
        "It would not be noticed if the socket's file were removed.")
    package static let readingPaused = LogEvent(
        "reading paused", .debug, .link,
        "The delegate is behind: this peer's bytes wait in its socket.")
    package static let readingResumed = LogEvent("reading resumed", .debug, .link, "The delegate has caught up.")
    package static let packageOut = LogEvent("package out", .debug, .link, "A package goes out.")
    package static let packageIn = LogEvent("package in", .debug, .link, "A package came in.")
    package static let linkConditioned = LogEvent(
        "link conditioned", .notice, .link,
        "What the link is like was changed on demand.")
    package static let linkFlapped = LogEvent("link flapped", .notice, .link, "A flapping link came or went.")

    /// All of these, as the manual page lists them.
    package static let ofLink = [
        linkListening, staleSocketReplaced, peerConnected, peerDisconnected, peerReplaced, peerRefused, peerMisbehaved,
        commandRefused, connectFailed, acceptFailed, acceptResumed, socketRenewed, socketLost, socketUnwatched,
        readingPaused, readingResumed, packageOut, packageIn, linkConditioned, linkFlapped,
    ]
}
