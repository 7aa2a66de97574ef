import LinkProtocol

extension MessageFailure {
    /// The error code for the application.
    package var code: WCError.Code {
        switch self {
        case .notReachable, .connectionLost: .notReachable
        case .underWay, .tooMany, .queueFull: .deliveryFailed
        case .tooLong: .payloadTooLarge
        case .timedOut: .messageReplyTimedOut
        case .answered(let code, _): code.flatMap(WCError.Code.init(rawValue:)) ?? .genericError
        }
    }
}

extension WCError {
    init(_ failure: MessageFailure, times: LinkTimes) {
        let reason: String? =
            switch failure {
            case .notReachable: nil
            case .underWay: "this message is already in flight"
            case .tooMany: "\(LinkLimits.outstandingMessages) messages are already waiting for a reply"
            case .connectionLost(let reason): "the connection was lost: \(reason)"
            case .queueFull: LinkSendError.queueFull.reason
            case .tooLong(let error): "\(error)"
            case .timedOut: "none within \(times.reply.inSeconds) s"
            case .answered(_, let reason): reason
            }
        self.init(failure.code, reason: reason)
    }
}
