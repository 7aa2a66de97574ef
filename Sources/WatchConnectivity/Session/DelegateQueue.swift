import Dispatch
import Locking

/// The serial queue of a session's delegate. What comes in one turn of the loop goes over in one step. While the app does not
/// run, all of it waits.
final class DelegateQueue: Sendable {
    private struct Work: Sendable {
        let run: @Sendable () -> Void
        let discard: (@Sendable () -> Void)?
    }

    private struct Waiting {
        var work: [Work] = []
        var isHeld = false
        var isDraining = false
        /// In a struct of its own, as Work is: a bare closure behind a mutex would be wrapped once more at each look at it.
        var onIdle: Work?
    }

    private let queue = DispatchQueue(label: "watchlink.session.delegate")
    private let waiting = Mutex(Waiting())

    /// Calls back each time that nothing is left to do. On this queue.
    func whenIdle(_ action: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.onIdle = Work(run: action, discard: nil) }
    }

    /// - Parameter discard: Called instead if the app ends before the work's turn.
    func enqueue(discard: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () -> Void) {
        let mustStart = waiting.withLock { waiting in
            waiting.work.append(Work(run: work, discard: discard))
            return Self.start(&waiting)
        }
        if mustStart { queue.async { self.drain() } }
    }

    /// The app's code stops: whatever runs now ends, and nothing else begins.
    func hold() { waiting.withLock { $0.isHeld = true } }

    func release() {
        let mustStart = waiting.withLock { waiting in
            waiting.isHeld = false
            return Self.start(&waiting)
        }
        if mustStart { queue.async { self.drain() } }
    }

    /// The app's process is gone, and what waited for it.
    func discard() {
        let work = waiting.withLock { waiting in
            let work = waiting.work
            waiting.work.removeAll()
            return work
        }
        for item in work { item.discard?() }
    }

    var isIdle: Bool { waiting.withLock { $0.work.isEmpty && !$0.isDraining } }

    private static func start(_ waiting: inout Waiting) -> Bool {
        guard !waiting.isHeld, !waiting.isDraining, !waiting.work.isEmpty else { return false }
        waiting.isDraining = true
        return true
    }

    private func drain() {
        while true {
            let batch = waiting.withLock { waiting -> [Work]? in
                guard !waiting.isHeld, !waiting.work.isEmpty else {
                    waiting.isDraining = false
                    return nil
                }
                let batch = waiting.work
                waiting.work.removeAll()
                return batch
            }
            guard let batch else { break }
            run(batch)
        }
        waiting.withLock { $0.onIdle }?.run()
    }

    private func run(_ batch: [Work]) {
        for (index, work) in batch.enumerated() {
            // Held in the middle of a batch: the rest is put back, in front of what came meanwhile.
            let isHeld = waiting.withLock { waiting in
                guard waiting.isHeld else { return false }
                waiting.work = batch[index...] + waiting.work
                return true
            }
            guard !isHeld else { return }
            work.run()
        }
    }
}
