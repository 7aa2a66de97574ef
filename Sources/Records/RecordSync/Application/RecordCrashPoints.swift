package import CrashPoints
package import RecordStorage

/// The crash points of an application, made from the name of its kind: “workout-committed”.
package struct RecordCrashPoints: Sendable {
    package let decoded, committed, replied, accepted: CrashPoint

    package init(_ kind: RecordKind) {
        decoded = CrashPoint("\(kind.name)-decoded")
        committed = CrashPoint("\(kind.name)-committed")
        replied = CrashPoint("\(kind.name)-replied")
        accepted = CrashPoint("\(kind.name)-accepted")
    }
}

extension CrashPoint {
    package static let acknowledgementReceived = CrashPoint("acknowledgement-received")
    package static let endRecorded = CrashPoint("end-recorded")
}
