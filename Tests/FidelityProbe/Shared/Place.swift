import Foundation

/// Whether a delegate's call has been left.
///
/// Unchecked: its state is guarded by the lock.
final class Place: @unchecked Sendable {
    private let lock = NSLock()
    private var hasLeft = false

    var isLeft: Bool {
        lock.lock()
        defer { lock.unlock() }
        return hasLeft
    }

    func leave() {
        lock.lock()
        hasLeft = true
        lock.unlock()
    }
}
