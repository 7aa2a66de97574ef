import LinkProtocol

extension MessageFailure {
    /// What the application sees of it.
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
            case .underWay: "this message is under way already"
            case .tooMany: "\(LinkLimits.outstandingMessages) messages wait for a reply already"
            case .connectionLost(let reason): "the connection was lost: \(reason)"
            case .queueFull: LinkSendError.queueFull.reason
            case .tooLong(let error): "\(error)"
            case .timedOut: "none within \(times.reply.inSeconds) s"
            case .answered(_, let reason): reason
            }
        self.init(failure.code, reason: reason)
    }
}
