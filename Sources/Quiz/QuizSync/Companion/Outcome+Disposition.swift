package import LinkProtocol
package import WatchConnectivity

/// What a try to deliver a quiz came to, by the one rule (``Disposition``).
extension OutboxStateMachine.Outcome {
    /// The host answered.
    package static func acknowledged(_ verdict: QuizVerdict, reason: String?) -> Self {
        let reason = reason ?? verdict.rawValue
        return switch Disposition(verdict) {
        case .delivered: .replied
        case .failed: .refused(reason: reason)
        case .retry: .unavailable(reason: reason)
        }
    }

    /// The message did not get through.
    package static func failed(_ code: WCError.Code, reason: String) -> Self {
        Disposition(code) == .failed ? .refused(reason: reason) : .unavailable(reason: reason)
    }
}
