/// The reason why a package was not written to the link.
package enum LinkSendError: Error, Equatable, Sendable {
    case notConnected
    /// The peer does not read: ``LinkLimits/queuedBytes`` are already queued for it.
    case queueFull
    case tooLong(ProtocolError)

    /// The reason given when the connection to such a peer is closed.
    package static let deaf = "the peer stopped reading"

    /// The corresponding failure of a message.
    package var failure: MessageFailure {
        switch self {
        case .notConnected: .notReachable
        case .queueFull: .queueFull
        case .tooLong(let error): .tooLong(error)
        }
    }

    package var reason: String {
        switch self {
        case .notConnected: "the counterpart is not reachable"
        case .queueFull: "the counterpart stopped reading: its queue is full"
        case .tooLong(let error): "\(error)"
        }
    }
}
