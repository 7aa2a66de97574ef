package import CrashPoints

extension CrashPoint {
    package static let messageReceived = CrashPoint("message-received")
    package static let transferQueued = CrashPoint("transfer-queued")
    package static let transferKept = CrashPoint("transfer-kept")
    package static let fileChunkWritten = CrashPoint("file-chunk-written")
    package static let fileFinished = CrashPoint("file-finished")
}
