public import Words

/// A fault that an application sees in its session even if the link works.
public struct AppFault: Equatable, Sendable {
    /// The kinds of content that an application sends and its delegate receives.
    public enum Content: String, CaseIterable, Sendable {
        /// Interactive messages.
        case message
        /// Application contexts.
        case context
        /// Plain and complication user infos.
        case userInfo = "user-info"
        /// Files.
        case file
    }

    /// The operations that can fail with an error.
    public enum Attempt: String, CaseIterable, Sendable {
        /// Sending a message.
        case message
        /// Updating the application context.
        case context
        /// Transferring a user info.
        case userInfo = "user-info"
        /// Transferring a file.
        case file
        /// Activating the session.
        case activation
    }

    /// The properties of a session, named as in the client API.
    public enum Property: String, CaseIterable, Sendable {
        /// The session's activation state.
        case activationState
        /// True while received content awaits the delegate.
        case hasContentPending
        /// True while the counterpart can receive messages.
        case isReachable
        /// Phone: true if a watch is paired.
        case isPaired
        /// Phone: true if the watch has the app.
        case isWatchAppInstalled
        /// Phone: true if the app's complication is on the watch face.
        case isComplicationEnabled
        /// Watch: true if the phone has the app.
        case isCompanionAppInstalled
        /// Watch: true if the phone is locked after a restart.
        case iOSDeviceNeedsUnlockAfterRebootForReachability
        /// Phone: the complication transfers left for today.
        case remainingComplicationUserInfoTransfers
        /// Phone: the directory for the watch's data.
        case watchDirectoryURL
        /// The latest context sent.
        case applicationContext
        /// The latest context received.
        case receivedApplicationContext
        /// The user info transfers in progress.
        case outstandingUserInfoTransfers
        /// The file transfers in progress.
        case outstandingFileTransfers
        /// All properties.
        case any
    }

    /// The effect of a fault on the application.
    public enum Effect: Equatable, Sendable {
        /// The delegate receives the content twice.
        case duplicate(Content)
        /// After a context, the delegate receives the previous one again.
        case replay
        /// The attempt fails with this error: a message or context immediately, a transfer after it was queued.
        case fail(Attempt, SessionErrorCode)
        /// A read of the property blocks for this time.
        case slow(Property, Duration)
        /// The app gets background time this long before the content arrives.
        case early(Duration)
    }

    /// An event in an application to which a fault may apply.
    package enum Occasion: Equatable, Sendable {
        case given(Content)
        /// A context was delivered that was not the first.
        case contextFollowed
        case attempted(Attempt)
        case read(Property)
        /// Content arrived for an app that is not running.
        case woken
    }

    /// The effect of the fault.
    public var effect: Effect
    /// The selection of the occasions to which the fault applies.
    public var selection: FaultSelection

    /// Creates a fault; by default it applies to every occasion.
    public init(_ effect: Effect, _ selection: FaultSelection = FaultSelection()) {
        self.effect = effect
        self.selection = selection
    }

    func matches(_ occasion: Occasion) -> Bool {
        switch (effect, occasion) {
        case (.duplicate(let content), .given(let given)): content == given
        case (.replay, .contextFollowed), (.early, .woken): true
        case (.fail(let attempt, _), .attempted(let attempted)): attempt == attempted
        case (.slow(let property, _), .read(let read)): property == .any || property == read
        default: false
        }
    }

    /// The description of the effect on the app; “#” stands for its number.
    func event(_ occasion: Occasion) -> String {
        switch (effect, occasion) {
        case (.duplicate(let content), _): "the app is given \(content.rawValue) \(Chance.numberMark) twice"
        case (.replay, _): "the app is given the former context again, time \(Chance.numberMark)"
        case (.fail(let attempt, _), _): "\(attempt.rawValue) \(Chance.numberMark) fails"
        case (.slow, .read(let property)): "\(property.rawValue) is slow, time \(Chance.numberMark)"
        case (.slow(let property, _), _): "\(property.rawValue) is slow, time \(Chance.numberMark)"
        case (.early, _): "background time \(Chance.numberMark) comes early"
        }
    }

    // MARK: - Words

    /// The word that distinguishes a fault at the app from one of packages.
    static let place = "at-app"
    /// The first words of faults at the app, in addition to ``FaultRule/verbs``.
    public static let verbs = ["replay", "fail", "slow", "early"]

    /// Creates a fault from command words.
    ///
    /// - Parameter words: For example `duplicate user-info at-app nth=2`, `replay context`,
    ///   `fail user-info with=transferTimedOut nth=2`, `slow isReachable by=3s`, `early refresh-task by=2s`.
    /// - Throws: `WordError` for a missing, unknown or surplus word, or an invalid value.
    public init(words: [String]) throws(WordError) {
        var reader = WordReader(words)
        try self.init(try reader.choice("fault", among: ["duplicate"] + Self.verbs), &reader)
    }

    /// Creates a fault from the words after the verb.
    ///
    /// - Parameter verb: “duplicate” or one of ``verbs``.
    init(_ verb: String, _ reader: inout WordReader) throws(WordError) {
        switch verb {
        case "duplicate":
            // An app only receives incoming content.
            _ = reader.take(FaultRule.Direction.incoming.rawValue)
            let content: Content = try reader.choice("duplicate \(Self.place)")
            guard reader.take(Self.place) else { throw .missing(subject: "duplicate", allowed: [Self.place]) }
            let options = try reader.options("duplicate \(content.rawValue) \(Self.place)", FaultSelection.keys)
            self.init(.duplicate(content), try FaultSelection(options))
        case "replay":
            _ = try reader.choice(verb, among: [Content.context.rawValue])
            self.init(.replay, try FaultSelection(try reader.options(verb, FaultSelection.keys)))
        case "fail":
            let attempt: Attempt = try reader.choice(verb)
            let options = try reader.options("fail \(attempt.rawValue)", ["with"] + FaultSelection.keys)
            let code = try SessionErrorCode(try options.required("with"), key: "with")
            self.init(.fail(attempt, code), try FaultSelection(options))
        case "slow":
            let property: Property = try reader.choice(verb)
            let options = try reader.options("slow \(property.rawValue)", ["by"] + FaultSelection.keys)
            self.init(.slow(property, try options.requiredSpan("by")), try FaultSelection(options))
        default:
            _ = try reader.choice(verb, among: ["refresh-task"])
            let options = try reader.options(verb, ["by"] + FaultSelection.keys)
            self.init(.early(try options.requiredSpan("by")), try FaultSelection(options))
        }
    }

    /// The words from which ``init(words:)`` recreates the fault.
    package var words: [String] {
        let head =
            switch effect {
            case .duplicate(let content): [name, content.rawValue, Self.place]
            case .replay: [name, Content.context.rawValue]
            case .fail(let attempt, let code): [name, attempt.rawValue, "with=\(code.name)"]
            case .slow(let property, let span): [name, property.rawValue, "by=\(WordValue.text(span))"]
            case .early(let span): [name, "refresh-task", "by=\(WordValue.text(span))"]
            }
        return head + selection.words
    }

    /// The verb of the fault.
    package var name: String {
        switch effect {
        case .duplicate: "duplicate"
        case .replay: "replay"
        case .fail: "fail"
        case .slow: "slow"
        case .early: "early"
        }
    }
}

extension AppFault: CustomStringConvertible {
    /// The fault in words, separated by spaces.
    public var description: String { words.joined(separator: " ") }
}
