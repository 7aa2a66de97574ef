public import WatchConnectivity

/// The consequence of a delivery attempt: the only place that decides which failures are final.
public enum Disposition: Sendable, Equatable {
    /// The host has the payload.
    case delivered
    /// The same bytes will never be accepted: report it to the user, and continue with the next payload.
    case failed
    /// A retry may succeed: the host was unreachable or too slow, or its database was unavailable.
    case retry

    /// Creates the disposition of a host's verdict.
    public init(_ verdict: RecordVerdict) {
        self =
            switch verdict {
            case .stored, .repeated: .delivered
            case .undecodable, .invalid, .conflict: .failed
            case .fileMissing, .unavailable: .retry
            }
    }

    /// Creates the disposition of a message that failed with an error code.
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
