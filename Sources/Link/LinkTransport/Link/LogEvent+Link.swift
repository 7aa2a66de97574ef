package import EventLog

extension LogSubsystem {
    /// Events of the link between the devices.
    package static let link = LogSubsystem("link")
}

/// The events of the link, and the texts that explain them.
extension LogEvent {
    package static let linkListening = LogEvent(
        "link listening", .notice, .link,
        "The host is listening for companions.")
    package static let staleSocketReplaced = LogEvent(
        "stale socket replaced", .warning, .link,
        "A socket left by a dead process was replaced.")
    package static let peerConnected = LogEvent(
        "peer connected", .notice, .link,
        "A counterpart is connected, and the handshake is complete.")
    package static let peerDisconnected = LogEvent(
        "peer disconnected", .notice, .link,
        "The connection was lost, for the reason given.")
    package static let peerReplaced = LogEvent(
        "peer replaced", .warning, .link,
        "A device reconnected; its previous connection is closed.")
    package static let peerRefused = LogEvent(
        "peer refused", .warning, .link,
        "A connection was refused, for the reason given.")
    package static let peerMisbehaved = LogEvent(
        "peer misbehaved", .warning, .link,
        "A peer violated the protocol and is disconnected.")
    package static let commandRefused = LogEvent(
        "command refused", .warning, .link,
        "A peer with a newer version sent an unknown command, which was refused.")
    package static let connectFailed = LogEvent(
        "connect failed", .info, .link,
        "The host is unavailable; the next attempt follows after the delay.")
    package static let acceptFailed = LogEvent(
        "accept failed", .error, .link,
        "The system cannot accept more connections for now.")
    package static let acceptResumed = LogEvent("accept resumed", .notice, .link, "Connections are accepted again.")
    package static let socketRenewed = LogEvent(
        "socket renewed", .warning, .link,
        "The socket file or its lock was removed or replaced while in use; it was recreated.")
    package static let socketLost = LogEvent(
        "socket lost", .error, .link,
        "The socket file cannot be recreated for now: no client can connect.")
    package static let socketUnwatched = LogEvent(
        "socket not watched", .warning, .link,
        "The socket file is not watched: its removal would go unnoticed.")
    package static let readingPaused = LogEvent(
        "reading paused", .debug, .link,
        "The delegate lags behind; reading from this peer is paused.")
    package static let readingResumed = LogEvent(
        "reading resumed", .debug, .link,
        "The delegate has caught up; reading is resumed.")
    package static let packageOut = LogEvent("package out", .debug, .link, "A package was sent.")
    package static let packageIn = LogEvent("package in", .debug, .link, "A package was received.")
    package static let linkConditioned = LogEvent(
        "link conditioned", .notice, .link,
        "The link's condition was changed on demand.")
    package static let linkFlapped = LogEvent(
        "link flapped", .notice, .link,
        "A simulated outage of the link began or ended.")

    /// All of these events, as listed on the manual page.
    package static let ofLink = [
        linkListening, staleSocketReplaced, peerConnected, peerDisconnected, peerReplaced, peerRefused, peerMisbehaved,
        commandRefused, connectFailed, acceptFailed, acceptResumed, socketRenewed, socketLost, socketUnwatched,
        readingPaused, readingResumed, packageOut, packageIn, linkConditioned, linkFlapped,
    ]
}
