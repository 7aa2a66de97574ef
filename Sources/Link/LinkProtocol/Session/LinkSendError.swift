/// A package was not written to the link.
package enum LinkSendError: Error, Equatable, Sendable {
    case notConnected
    /// The counterpart does not read: ``LinkLimits/queuedBytes`` wait for it already.
    case queueFull
    case tooLong(ProtocolError)

    /// The reason for which a connection to such a counterpart ends.
    package static let deaf = "it does not read"

    /// The same as the end of a message.
    package var failure: MessageFailure {
        switch self {
        case .notConnected: .notReachable
        case .queueFull: .queueFull
        case .tooLong(let error): .tooLong(error)
        }
    }

    package var reason: String {
        switch self {
        case .notConnected: "The counterpart is not reachable"
        case .queueFull: "the counterpart does not read: too much waits for it"
        case .tooLong(let error): "\(error)"
        }
    }
}
