import Dispatch
import Locking

/// The serial queue of a session's delegate. What comes in one turn of the loop goes over in one step.
final class DelegateQueue: Sendable {
    private let queue = DispatchQueue(label: "watchlink.session.delegate")
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(work)
            return waiting.count == 1
        }
        if isFirst { queue.async { self.drain() } }
    }

    private func drain() {
        let batch = waiting.withLock { waiting in
            let batch = waiting
            waiting.removeAll()
            return batch
        }
        for work in batch { work() }
    }
}
