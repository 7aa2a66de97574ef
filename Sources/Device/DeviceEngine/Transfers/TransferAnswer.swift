package import LinkProtocol

/// A receiver's answer to a transfer.
package enum TransferAnswer: Equatable, Sendable {
    /// It is durable at the receiver: the sender may forget it.
    case arrived
    /// It will never be accepted.
    case refused(SessionErrorCode, reason: String)
    /// It cannot be stored now: send it again later.
    case later(String)

    /// True if the transfer will never be accepted.
    package var isFinal: Bool { if case .refused = self { true } else { false } }
}
