import Configuration
import DeviceShell

extension RecordingReport {
    /// The report as an answer of a control socket.
    var json: JSONValue {
        [
            "path": .string(path), "events": .integer(Int64(events)), "lost": .integer(Int64(lost)),
            "complete": .boolean(isComplete), "reason": reason.map { .string($0) } ?? .null,
            "unmatched": .array(unmatched.map { .string($0) }),
        ]
    }
}
