package import LinkProtocol

/// Why a package was not sent.
package enum LinkSendError: Error, Equatable, Sendable {
    case notConnected
    /// The peer does not read: ``LinkLimits/queuedBytes`` wait for it already.
    case queueFull
    case tooLong(ProtocolError)
}
