/// The meaning of an event for a replay, by its kind; see the article “The format of a cassette”.
package enum EventRole: Equatable, Sendable {
    /// The app starts a message or transfer.
    case call(Channel)
    /// The app answers a message.
    case answer
    /// The app released a reply handler without an answer.
    case droppedAnswer
    case cancel
    case activation
    /// The app's call failed at once.
    case refusal
    /// The delegate is called with a message or transfer.
    case delivery(Channel, wantsReply: Bool)
    /// The app is told of the outcome of its message or transfer.
    case outcome
    /// The app is told of a state.
    case notice
    /// A package on the link, the link itself, or what was known of the counterparts at the beginning.
    case link
    /// A person's action on the device.
    case action
    /// Something that a fault or the link's condition did to a package, a delivery or the link. Except for the faults of
    /// ``RepeatedDeliveries`` and late states it is not repeated: what follows from it is in the recording as well, and is played.
    case fault

    package init?(kind: String) {
        if let channel = Channel(rawValue: kind) {
            self = .call(channel)
        } else if let channel = Channel(delivery: kind) {
            self = .delivery(channel, wantsReply: kind.hasSuffix("WithReply"))
        } else {
            switch kind {
            case "reply": self = .answer
            case "replyHandlerDropped": self = .droppedAnswer
            case "cancel": self = .cancel
            case "activate": self = .activation
            case "refused": self = .refusal
            case "replyHandler", "errorHandler", "didFinish": self = .outcome
            case "activationDidComplete", "didBecomeInactive", "didDeactivate", "watchStateDidChange",
                "companionAppInstalledDidChange", "reachabilityDidChange":
                self = .notice
            case "write", "read", "connected", "disconnected", PresentWatch.kind: self = .link
            case "device", "faults", "link", "watches": self = .action
            case "fault": self = .fault
            default: return nil
            }
        }
    }

    /// True for a call that starts a message or transfer.
    var isCall: Bool { if case .call = self { true } else { false } }

    /// True for what an app does.
    var isDeed: Bool {
        switch self {
        case .call, .answer, .droppedAnswer, .cancel, .activation: true
        case .refusal, .delivery, .outcome, .notice, .link, .action, .fault: false
        }
    }

    /// True if the app's code is called.
    package var isOccasion: Bool {
        switch self {
        case .delivery, .outcome, .notice: true
        case .call, .answer, .droppedAnswer, .cancel, .activation, .refusal, .link, .action, .fault: false
        }
    }
}
