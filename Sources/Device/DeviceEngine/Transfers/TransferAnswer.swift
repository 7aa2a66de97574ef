package import LinkProtocol

/// A receiver's answer to a transfer.
package enum TransferAnswer: Equatable, Sendable {
    /// It is durable here: its sender may forget it.
    case arrived
    /// It will never be taken.
    case refused(SessionErrorCode, reason: String)
    /// It cannot be kept now: send it again later.
    case later(String)

    /// The same transfer will never be taken.
    package var isFinal: Bool { if case .refused = self { true } else { false } }
}
