import LinkProtocol

/// The calls of a replay that its session refused before they were noted, such as one whose content is no property list: of
/// each, only the error is in the course. Those that were refused in the recording as well are left out.
struct RefusedCalls {
    /// The errors whose calls are not in the course, in their order.
    private var errors: [AppEvent]

    /// Finds the refused calls of a run, whatever was recorded.
    init(_ run: AppTape) {
        // Without the beginning, it may be the call that was made before.
        errors = run.begins ? Self.errors(run) : []
    }

    init(_ recorded: AppTape, _ replayed: AppTape) {
        self.init(replayed)
        for known in Self.errors(recorded) {
            guard let place = errors.firstIndex(where: { ($0.kind, $0.error) == (known.kind, known.error) }) else {
                continue
            }
            errors.remove(at: place)
        }
    }

    private static func errors(_ tape: AppTape) -> [AppEvent] {
        tape.events.filter { event in
            (event.role == .refusal || event.role == .outcome) && event.error != nil
                && tape.call(of: event.package) == nil
        }
    }

    /// Takes the error of a deed that was not done; nil if no call that can be it was refused.
    mutating func take(for deed: AppEvent) -> AppEvent? {
        guard case .call(let channel) = deed.role else { return nil }
        return take(of: channel)
    }

    /// Takes the error of a call of a channel; nil if none was refused.
    mutating func take(of channel: Channel) -> AppEvent? {
        errors.firstIndex { $0.kind == channel.failure }.map { errors.remove(at: $0) }
    }
}

extension Channel {
    /// The kind of the event with the error of a call that was refused.
    fileprivate var failure: String {
        switch self {
        case .message, .data: "errorHandler"
        case .context: "refused"
        case .userInfo, .complication, .file: "didFinish"
        }
    }
}
