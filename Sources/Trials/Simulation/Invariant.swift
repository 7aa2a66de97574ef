/// A property that must hold in every run, whatever fails.
package enum Invariant: String, CaseIterable, Sendable {
    case storedOnce = "an accepted quiz is stored exactly once, or has failed with its cause"
    case order =
        "items of one channel arrive in the order they were sent, and quizzes are stored in the order of acceptance"
    case oneHandler = "exactly one handler of a message is called, once, and a delegate gets each transfer once"
    case legalStatus = "every status is a legal successor of the one before"
    case latestContext = "the last context delivered is the latest one"
    case transfersArrive = "a queued transfer arrives, or has failed with its cause"
    case bounded = "queues and tables stay within their limits"
    case messagesFirst = "a message is sent before transfers, whatever the link"
    case transfersGoOn = "transfers get the bandwidth that messages leave"
    case toldInOrder = "an app is told of each change of its session and its counterparts once, in order"
    case tellsTruth = "when all is at rest, devices know each other's state, and their apps were told so"
    case prompt = "what is sent in calm weather arrives, and soon"
    case notes = "the ledger notes every step of a message or transfer"
    case behaves = "no device does anything that another must treat as an attack"
    case admits = "a phone admits only watches that are paired, or may pair"
    case takes = "a device takes content only for an app that is installed, on a device that was unlocked"
    case hits = "an injected fault hits the packages that its rule names, at the times that it says"
    case onTime = "time-outs, heartbeats and new attempts come when they are due, neither early nor late"
    case settles = "everything settles when the faults stop"
}
