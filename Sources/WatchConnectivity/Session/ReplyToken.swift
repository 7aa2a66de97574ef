import Locking

/// The right to answer one message: used once, and noticed when it is dropped unused.
final class ReplyToken: Sendable {
    private let isUsed = Mutex(false)
    private let onDrop: @Sendable () -> Void

    init(onDrop: @escaping @Sendable () -> Void) { self.onDrop = onDrop }

    /// Whether this is the first use.
    func use() -> Bool {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }

    deinit { if use() { onDrop() } }
}
