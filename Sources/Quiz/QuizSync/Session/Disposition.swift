public import WatchConnectivity

/// What follows from the end of a try to deliver a quiz. The one place that says which failures are final.
public enum Disposition: Sendable, Equatable {
    case delivered
    /// The same bytes will never be taken: tell the user, and go on with the next.
    case failed
    /// It may be taken later: the host was away, too slow, or its database was.
    case retry

    public init(_ verdict: QuizVerdict) {
        self =
            switch verdict {
            case .stored, .repeated: .delivered
            case .undecodable, .invalid, .conflict: .failed
            case .unavailable: .retry
            }
    }

    public init(_ code: WCError.Code) {
        self =
            switch code {
            case .payloadTooLarge, .payloadUnsupportedTypes, .invalidParameter: .failed
            case .genericError, .sessionNotSupported, .sessionMissingDelegate, .sessionNotActivated, .deviceNotPaired,
                .watchAppNotInstalled, .notReachable, .messageReplyFailed, .messageReplyTimedOut, .fileAccessDenied,
                .deliveryFailed, .insufficientSpace, .sessionInactive, .transferTimedOut, .companionAppNotInstalled,
                .watchOnlyApp:
                .retry
            }
    }
}
