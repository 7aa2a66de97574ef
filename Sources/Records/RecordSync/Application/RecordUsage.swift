package import Metrics
package import RecordStorage

/// The user actions of an application, made from the name of its kind: “workout finished”.
package struct RecordUsage: Sendable {
    package let finished, stored: UsageRecorder.Event

    package init(_ kind: RecordKind) {
        finished = UsageRecorder.Event("finished", of: kind.name)
        stored = UsageRecorder.Event("stored", of: kind.name)
    }
}

extension UsageRecorder.Event {
    package static let historyOpened = Self("history opened")
}

extension UsageRecorder.Span {
    /// The time from the acceptance on the companion to the host's reply.
    package static let delivery = Self("delivery")
    /// The time to read a host's history.
    package static let history = Self("history")
}
