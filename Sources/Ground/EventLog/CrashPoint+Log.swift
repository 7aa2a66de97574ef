package import CrashPoints

extension CrashPoint {
    /// The log file has been renamed, and the new one does not exist yet.
    package static let logRotating = CrashPoint("log-rotating")
}
