/// What must hold in every run, whatever fails.
package enum Invariant: String, CaseIterable, Sendable {
    case storedOnce = "an accepted quiz is stored exactly once, or has failed with its cause"
    case order =
        "what is sent in a channel arrives in its order, and quizzes are stored in the order of their acceptance"
    case oneHandler = "of a message's handlers exactly one is called, once, and a delegate hears of a transfer once"
    case legalStatus = "every status follows from the one before"
    case latestContext = "the context ends at the latest one"
    case transfersArrive = "a queued transfer arrives, or has failed with its cause"
    case bounded = "queues and tables stay within their limits"
    case messagesFirst = "a message goes before what is transferred, whatever the link"
    case transfersGoOn = "what is transferred gets the link that messages leave"
    case behaves = "no device does what another must take for an attack"
    case settles = "everything settles when the faults stop"
}
