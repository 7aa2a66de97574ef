import EventLog
import LinkTransport
import Locking

/// Performs an action once, on the loop, after so many pieces of files were sent.
final class ChunkTrigger: Sendable {
    private let waiting = Mutex<(count: Int, action: @Sendable () -> Void)?>(nil)

    func set(after count: Int, _ action: @escaping @Sendable () -> Void) { waiting.withLock { $0 = (count, action) } }

    func saw(_ record: LogRecord) {
        guard record.event == .packageOut, record.fields.contains(.command("FileChunk")) else { return }
        let action = waiting.withLock { waiting -> (@Sendable () -> Void)? in
            waiting?.count -= 1
            guard waiting?.count == 0 else { return nil }
            defer { waiting = nil }
            return waiting?.action
        }
        action?()
    }
}
