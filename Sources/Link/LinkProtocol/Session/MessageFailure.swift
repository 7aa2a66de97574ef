/// The reason why a message did not arrive, or got no reply.
package enum MessageFailure: Equatable, Sendable {
    case notReachable
    /// A message with this identifier is already in flight.
    case underWay
    /// ``LinkLimits/outstandingMessages`` already await a reply.
    case tooMany
    case connectionLost(reason: String)
    case timedOut
    /// The counterpart does not read: its queue is full.
    case queueFull
    case tooLong(ProtocolError)
    /// The counterpart reported a failure; the code is a raw value of `WCError.Code`.
    case answered(code: Int?, reason: String?)
}
