package import CrashPoints

/// The crash points of an application, made from the name of its kind: “workout-committed”.
package struct RecordCrashPoints: Sendable {
    package let decoded, committed, replied, accepted: CrashPoint
    package let fileReceived, fileKept, fileAccepted, fileQueued, fileDelivered: CrashPoint

    /// - Parameter name: The singular name of the payloads.
    package init(of name: String) {
        decoded = CrashPoint("\(name)-decoded")
        committed = CrashPoint("\(name)-committed")
        replied = CrashPoint("\(name)-replied")
        accepted = CrashPoint("\(name)-accepted")
        fileReceived = CrashPoint("\(name)-file-received")
        fileKept = CrashPoint("\(name)-file-kept")
        fileAccepted = CrashPoint("\(name)-file-accepted")
        fileQueued = CrashPoint("\(name)-file-queued")
        fileDelivered = CrashPoint("\(name)-file-delivered")
    }
}

extension CrashPoint {
    package static let acknowledgementReceived = CrashPoint("acknowledgement-received")
    package static let endRecorded = CrashPoint("end-recorded")
}
