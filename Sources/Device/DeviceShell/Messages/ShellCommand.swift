import DeviceEngine

/// A request of another thread to a device's loop.
enum ShellCommand: Sendable {
    case send(OutgoingMessage)
    case answer(IncomingMessage, DeviceEngine.Answer)
    /// The delegate's method has returned, and has not answered.
    case handled(IncomingMessage)
    /// Something happened to the engine: the end of a commit, for instance.
    case tell(@Sendable (inout DeviceEngine, Moment) -> Void)
    case call(@Sendable () -> Void)

    /// Whether somebody waits for what comes of it.
    var isWaitedFor: Bool {
        switch self {
        case .send, .answer: true
        case .handled, .tell, .call: false
        }
    }
}
