public import Words

/// One fault that an application sees in its own session, however well the link works.
public struct AppFault: Equatable, Sendable {
    /// What a delegate is given, and an application sends.
    public enum Content: String, CaseIterable, Sendable {
        case message
        case context
        /// Plain user infos and those for the complication.
        case userInfo = "user-info"
        case file
    }

    /// What may end with an error.
    public enum Attempt: String, CaseIterable, Sendable {
        case message
        case context
        case userInfo = "user-info"
        case file
        case activation
    }

    /// The properties of a session, as a client spells them.
    public enum Property: String, CaseIterable, Sendable {
        case activationState
        case hasContentPending
        case isReachable
        case isPaired
        case isWatchAppInstalled
        case isComplicationEnabled
        case isCompanionAppInstalled
        case iOSDeviceNeedsUnlockAfterRebootForReachability
        case remainingComplicationUserInfoTransfers
        case watchDirectoryURL
        case applicationContext
        case receivedApplicationContext
        case outstandingUserInfoTransfers
        case outstandingFileTransfers
        case any
    }

    public enum Effect: Equatable, Sendable {
        /// The delegate is given it twice.
        case duplicate(Content)
        /// Behind a context the delegate is given the one before it once more.
        case replay
        /// The attempt ends with this error: a message and a context at once, a transfer after it was queued.
        case fail(Attempt, SessionErrorCode)
        /// Whoever reads the property waits.
        case slow(Property, Duration)
        /// The app gets its background time so long before what it gets it for.
        case early(Duration)
    }

    /// Something that happens to an application, where a fault may meet it.
    package enum Occasion: Equatable, Sendable {
        case given(Content)
        /// A context was given, and there was one before it.
        case contextFollowed
        case attempted(Attempt)
        case read(Property)
        /// Something came for an app that does not run.
        case woken
    }

    public var effect: Effect
    public var selection: FaultSelection

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

    /// What happens to the app when it is met, as one tells it; “#” is its number.
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

    // MARK: - In words

    /// The word that tells a fault at the app from one of packages.
    static let place = "at-app"
    /// The words that a fault begins with, beside ``FaultRule/verbs``.
    public static let verbs = ["replay", "fail", "slow", "early"]

    /// - Parameter words: For example `duplicate user-info at-app nth=2`, `replay context`, `fail user-info with=transferTimedOut nth=2`,
    ///   `slow isReachable by=3s`, `early refresh-task by=2s`.
    public init(words: [String]) throws(WordError) {
        var reader = WordReader(words)
        try self.init(try reader.choice("fault", among: ["duplicate"] + Self.verbs), &reader)
    }

    /// - Parameter verb: “duplicate” or one of ``verbs``; the reader has what follows it.
    init(_ verb: String, _ reader: inout WordReader) throws(WordError) {
        switch verb {
        case "duplicate":
            // What an app is given is always incoming.
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

    /// In the words of ``init(words:)``.
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

    /// The word that it begins with.
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
    /// Its words.
    public var description: String { words.joined(separator: " ") }
}
