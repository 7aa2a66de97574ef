package import Foundation

/// Something that happened on a recorded device, before it is redacted.
package struct Observation: Sendable {
    /// The place of an event in the life of a message or transfer, from which its cause follows.
    package enum Stage: Int, Sendable {
        /// The app's call that starts it.
        case call
        /// The sender writes a package.
        case written
        /// The receiver reads it.
        case read
        /// The receiver's app is called with it.
        case delivered
        /// The receiver's app answers.
        case answered
        /// The receiver writes the answer.
        case answerWritten
        /// The sender reads the answer.
        case answerRead
        /// The sender's app is called with the outcome.
        case ended
        /// The app's code is called for a change of the device's state.
        case notified
        /// Anything else.
        case other
    }

    package var side: String
    /// The nanoseconds of the monotonic clock.
    package var time: Int64
    /// An identifier of the thread; 0 for the main thread.
    package var thread: UInt
    package var kind: String
    package var stage: Stage
    package var package: UUID?
    /// The watch that it is of, or the device that has connected.
    package var device: UUID?
    package var payload: Payload?
    /// The size of the content, if it is known and the content is not.
    package var bytes: Int?
    package var error: Int?
    package var wantsReply = false
    package var words: String?
    /// True if the app did it in a call of its code, the latest one.
    package var isInCall = false

    package init(side: String, time: Int64, thread: UInt, kind: String, stage: Stage) {
        (self.side, self.time, self.thread, self.kind, self.stage) = (side, time, thread, kind, stage)
    }
}

extension Observation {
    /// True if the app's code is called: what it does until it returns has this cause.
    var opensCall: Bool {
        switch stage {
        case .delivered, .ended, .notified: true
        case .call, .written, .read, .answered, .answerWritten, .answerRead, .other: false
        }
    }

    /// True if content passes between the app and its session; in the packages of the link the same content is repeated.
    var isOfApp: Bool { opensCall || stage == .call || stage == .answered }
}
