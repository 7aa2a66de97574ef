/// The result of a recording.
package struct RecordingReport: Equatable, Sendable {
    /// The directory of the recording.
    package var path: String
    /// The number of recorded events.
    package var events: Int
    /// The number of events that are missing.
    package var lost: Int
    /// The reason why events are missing, or why the recording is not finished.
    package var reason: String?
    /// The key paths whose values are kept, and which no content has.
    package var unmatched: [String]

    package var isComplete: Bool { reason == nil }

    package init(path: String, events: Int, lost: Int, reason: String?, unmatched: [String] = []) {
        (self.path, self.events, self.lost, self.reason) = (path, events, lost, reason)
        self.unmatched = unmatched
    }
}
