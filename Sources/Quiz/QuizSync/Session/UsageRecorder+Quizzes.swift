package import Metrics

extension UsageRecorder.Event {
    package static let quizFinished = Self("quiz finished")
    package static let quizStored = Self("quiz stored")
    package static let historyOpened = Self("history opened")
}

extension UsageRecorder.Span {
    /// The time from the acceptance on the companion to the host's reply.
    package static let delivery = Self("delivery")
    /// The time to read a host's history.
    package static let history = Self("history")
}
