package import CrashPoints

extension CrashPoint {
    /// The log has been put aside, and there is no new one.
    package static let logRotating = CrashPoint("log-rotating")
}
