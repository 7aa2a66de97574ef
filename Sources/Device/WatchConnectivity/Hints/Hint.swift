/// A way to use the session that works against its contract, or loses something that nobody will notice: said once each.
enum Hint: String, CaseIterable, Sendable {
    case delegateAfterActivation = "delegate set after activation"
    case notReactivated = "not activated again"
    case switchNotHandled = "watch switch not handled"
    case replyDropped = "reply handler dropped"
    case outcomeUnheard = "outcome unheard"
    case fileNotMoved = "file not moved"
    case fileOpenedLate = "file opened too late"
    case methodBlocked = "delegate method does not return"
    case payloadNearLimit = "payload near limit"
    case sendBeforeActivation = "send before activation"
    case noErrorHandler = "failure unheard"
    case tasksNotCompleted = "background task not completed"

    /// What to do instead.
    var advice: String {
        switch self {
        case .delegateAfterActivation:
            "set the delegate before activate(): what arrives in between waits for it, and the activation's end is not told"
        case .notReactivated:
            "call activate() in sessionDidDeactivate(_:): until then the session is dead, and nothing of the new watch arrives"
        case .switchNotHandled:
            "implement sessionDidBecomeInactive(_:) and sessionDidDeactivate(_:): Apple's system ends apps without them at a switch"
        case .replyDropped: "call the reply handler, once: the sender waits for its time-out otherwise"
        case .outcomeUnheard:
            "implement session(_:didFinish:error:): a transfer that fails is lost without anybody noticing"
        case .fileNotMoved:
            "nobody opened or moved the file while session(_:didReceive:) was called, and it is removed when that returns: read, copy or move it there"
        case .fileOpenedLate:
            "the file was opened after session(_:didReceive:) had returned, when a device has removed it: read, copy or move it before"
        case .methodBlocked:
            "return from it soon: nothing else reaches the app meanwhile; a method that waits for the main queue, which waits for the session, waits for ever"
        case .payloadNearLimit: "it takes more than nine tenths of the limit: send less, or a file"
        case .sendBeforeActivation: "call activate() and wait for its end before sending"
        case .noErrorHandler: "give sendMessage an error handler: this failure was told to nobody"
        case .tasksNotCompleted:
            "complete background tasks when the session is activated and has no content pending: Apple's watchdog ends the app"
        }
    }
}
