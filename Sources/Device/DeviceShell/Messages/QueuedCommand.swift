import DeviceEngine

/// A request of another thread to a device's loop.
enum QueuedCommand: Sendable {
    case send(OutgoingMessage)
    case answer(IncomingMessage, DeviceEngine.Answer)
    /// The delegate's method has returned without an answer.
    case handled(IncomingMessage)
    /// An event for the engine, such as a completed commit.
    case tell(@Sendable (inout DeviceEngine, Moment) -> Void)
    case call(@Sendable () -> Void)

    /// True if a caller waits for the result.
    var isWaitedFor: Bool {
        switch self {
        case .send, .answer: true
        case .handled, .tell, .call: false
        }
    }
}
