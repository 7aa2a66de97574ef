/// What other threads want of a session's loop: in one list, so that it is done in their order.
enum SessionCommand: Sendable {
    case send(OutgoingMessage)
    case answer(IncomingMessage, MessageAnswer)
    /// The delegate's method has returned, and has not answered.
    case handled(IncomingMessage)
    case call(@Sendable () -> Void)

    /// Whether somebody waits for what comes of it.
    var isWaitedFor: Bool {
        switch self {
        case .send, .answer: true
        case .handled, .call: false
        }
    }
}
