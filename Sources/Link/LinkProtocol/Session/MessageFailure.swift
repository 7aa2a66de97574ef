/// Why an interactive message did not arrive, or got no reply.
package enum MessageFailure: Equatable, Sendable {
    case notReachable
    /// A message of this identifier is under way already.
    case underWay
    /// ``LinkLimits/outstandingMessages`` wait for their reply already.
    case tooMany
    case connectionLost(reason: String)
    case timedOut
    /// The counterpart does not read: too much waits for it.
    case queueFull
    case tooLong(ProtocolError)
    /// The counterpart says so; the code is a number of `WCError.Code`.
    case answered(code: Int?, reason: String?)
}
