import Dispatch
package import Foundation
package import Locking

/// The serial queue of a session's delegate. What comes in one turn of the loop goes over in one step. While the app does not
/// run, all of it waits.
package final class DelegateQueue: Sendable {
    /// What is done in its turn. Messages and replies, which come by the hundred thousand, need no closures.
    package enum Work: Sendable {
        case message(IncomingMessage)
        case reply(Data, to: UUID, UncheckedBox<MessageHandlers>)
        /// `discard` is called instead if the app ends before the work's turn.
        case call(@Sendable () -> Void, discard: (@Sendable () -> Void)?)
    }

    private struct Waiting {
        var work: [Work] = []
        var isDraining = false
        weak var performer: (any DelegateQueuePerformer)?
    }

    /// Calls whose answers go out together. 32: a write costs little against them, and the peer has work meanwhile.
    private static let together = 32
    /// Room for work that is kept between batches.
    private static let keptWork = 1_024

    private let queue = DispatchQueue(label: "watchlink.session.delegate")
    private let waiting = Mutex(Waiting())
    /// Changed under the lock, and asked for before each piece of work without it.
    private let held = SharedFlag()
    /// How often the app ended. Changed under the lock, and asked for before each piece of work without it.
    private let ends = SharedCount()

    package init() {}

    /// Who carries out the work.
    package func start(_ performer: any DelegateQueuePerformer) { waiting.withLock { $0.performer = performer } }

    /// - Parameter discard: Called instead if the app ends before the work's turn.
    package func enqueue(discard: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () -> Void) {
        let mustStart = waiting.withLock { waiting in
            waiting.work.append(.call(work, discard: discard))
            return start(&waiting)
        }
        if mustStart { begin() }
    }

    /// The same for what one turn of the loop brings; the array is empty afterwards.
    ///
    /// - Returns: Whether ``drain()`` must be called, soon.
    package func add(_ work: inout [Work]) -> Bool {
        guard !work.isEmpty else { return false }
        return waiting.withLock { waiting in
            if waiting.work.isEmpty {
                // The lists change places, so that neither is made anew each turn.
                swap(&waiting.work, &work)
            } else {
                waiting.work.append(contentsOf: work)
                work.removeAll(keepingCapacity: true)
            }
            return start(&waiting)
        }
    }

    /// Lets ``drain()`` run on a thread of the queue.
    private func begin() { queue.async { self.drain() } }

    /// The app's code stops: whatever runs now ends, and nothing else begins.
    package func hold() { waiting.withLock { _ in held.set() } }

    package func release() {
        let mustStart = waiting.withLock { waiting in
            held.set(false)
            return start(&waiting)
        }
        if mustStart { begin() }
    }

    /// The app's process is gone, and what waited for it.
    package func discard() {
        let (work, performer) = waiting.withLock { waiting in
            let work = waiting.work
            waiting.work.removeAll()
            ends.add(1)
            return (work, waiting.performer)
        }
        discard(work, performer)
    }

    private func discard(_ work: some Sequence<Work>, _ performer: (any DelegateQueuePerformer)?) {
        for item in work {
            switch item {
            case .message(let message): performer?.discard(message)
            case .reply: break
            case .call(_, let discard): discard?()
            }
        }
    }

    /// Whether the app's code does not run.
    package var isHeld: Bool { held.isSet }

    package var isIdle: Bool { waiting.withLock { $0.work.isEmpty && !$0.isDraining } }

    private func start(_ waiting: inout Waiting) -> Bool {
        guard !held.isSet, !waiting.isDraining, !waiting.work.isEmpty else { return false }
        waiting.isDraining = true
        return true
    }

    /// Carries out what waits, on the calling thread: one at a time does.
    package func drain() {
        // The two lists change places, so that neither is made anew for each batch.
        var batch: [Work] = []
        while true {
            let performer: (any DelegateQueuePerformer)?
            let goesOn: Bool
            let life: Int
            (performer, goesOn, life) = waiting.withLock { waiting in
                guard !held.isSet, !waiting.work.isEmpty else {
                    waiting.isDraining = false
                    return (waiting.performer, false, ends.value)
                }
                swap(&batch, &waiting.work)
                return (waiting.performer, true, ends.value)
            }
            guard goesOn else {
                performer?.becameIdle()
                return
            }
            run(batch, performer, of: life)
            batch.removeAll(keepingCapacity: batch.count <= Self.keptWork)
        }
    }

    /// - Parameter life: How often the app had ended when the batch was taken.
    private func run(_ batch: [Work], _ performer: (any DelegateQueuePerformer)?, of life: Int) {
        defer { performer?.endRound() }
        guard batch.count > 1, let performer else {
            _ = run(batch, batch.indices, performer, of: life)
            return
        }
        for start in stride(from: 0, to: batch.count, by: Self.together) {
            var goesOn = true
            performer.together {
                goesOn = run(batch, start..<min(start + Self.together, batch.count), performer, of: life)
            }
            guard goesOn else { return }
        }
    }

    /// - Returns: Whether nobody stopped it.
    private func run(
        _ batch: [Work], _ part: Range<Int>, _ performer: (any DelegateQueuePerformer)?, of life: Int
    ) -> Bool {
        for index in part {
            guard !held.isSet, ends.value == life else {
                stop(before: batch[index...], performer, of: life)
                return false
            }
            switch batch[index] {
            case .message(let message): performer?.perform(message)
            case .reply(let data, let identifier, let handlers): performer?.perform(data, to: identifier, handlers)
            case .call(let run, _): run()
            }
        }
        return true
    }

    /// Held in the middle of a batch: the rest is put back, in front of what came meanwhile, unless its app has ended.
    private func stop(before rest: ArraySlice<Work>, _ performer: (any DelegateQueuePerformer)?, of life: Int) {
        let isGone = waiting.withLock { waiting in
            guard ends.value == life else { return true }
            waiting.work = rest + waiting.work
            return false
        }
        if isGone { discard(rest, performer) }
    }
}
