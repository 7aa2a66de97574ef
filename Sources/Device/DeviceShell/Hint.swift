package import Words

/// A misuse of the session, or a loss that would go unnoticed. Each is logged once.
package enum Hint: String, CaseIterable, Sendable {
    case delegateAfterActivation = "delegate set after activation"
    case notReactivated = "not activated again"
    case switchNotHandled = "watch switch not handled"
    case replyDropped = "reply handler dropped"
    case replyRepeated = "reply handler called again"
    case outcomeUnheard = "outcome unheard"
    case fileNotMoved = "file not moved"
    case fileOpenedLate = "file opened too late"
    case methodBlocked = "delegate method does not return"
    case payloadNearLimit = "payload near limit"
    case sendBeforeActivation = "send before activation"
    case noErrorHandler = "failure unheard"
    case failingWithoutPause = "messages fail without pause"
    case tasksNotCompleted = "background task not completed"

    /// Returns the hints that a text names: “all”, or names with dashes, separated by commas. An empty text names none.
    package static func named(by text: String) throws(WordError) -> Set<Hint> {
        if text == everything { return Set(allCases) }
        var hints: Set<Hint> = []
        for word in text.split(separator: ",") {
            guard let hint = allCases.first(where: { $0.word == word }) else {
                throw .unknown(String(word), subject: "hint", allowed: [everything] + allCases.map(\.word))
            }
            hints.insert(hint)
        }
        return hints
    }

    private static let everything = "all"

    /// The name as one word, for options and variables.
    package var word: String { rawValue.replacing(" ", with: "-") }

    /// The recommended use.
    package var advice: String {
        switch self {
        case .delegateAfterActivation:
            "set the delegate before activate(): content that arrives earlier waits, and the result of activate() is not reported"
        case .notReactivated:
            "call activate() in sessionDidDeactivate(_:): until then the session is unusable, and no content of the new watch arrives"
        case .switchNotHandled:
            "implement sessionDidBecomeInactive(_:) and sessionDidDeactivate(_:): Apple's system terminates apps without them when the watch is switched"
        case .replyDropped: "call the reply handler exactly once: otherwise the sender waits until it times out"
        case .replyRepeated: "call the reply handler exactly once: the sender gets the first reply, and no other"
        case .outcomeUnheard:
            "implement session(_:didFinish:error:): otherwise failed transfers are lost unnoticed"
        case .fileNotMoved:
            "the file was neither opened nor moved in session(_:didReceive:), and is removed when that method returns: read, copy or move it in the method"
        case .fileOpenedLate:
            "the file was opened after session(_:didReceive:) had returned; on a device it is gone by then: read, copy or move it earlier"
        case .methodBlocked:
            "return sooner: nothing else reaches the app until then, and waiting for a main queue that waits for the session is a deadlock"
        case .payloadNearLimit: "the payload exceeds nine tenths of the limit: send less, or a file"
        case .sendBeforeActivation: "call activate(), and send only after the activation has completed"
        case .noErrorHandler: "pass an error handler to sendMessage: this failure was not reported to the app"
        case .failingWithoutPause:
            "a hundred messages failed within a second: wait before sending again, for example until isReachable is true; on a device this empties the battery"
        case .tasksNotCompleted:
            "complete background tasks when the session is activated and has no content pending: Apple's watchdog terminates the app otherwise"
        }
    }
}
