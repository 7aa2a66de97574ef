import Dispatch
package import Foundation
package import Locking

/// The serial queue of a session's delegate. Deliveries from one loop turn are handed over as one batch. While the app
/// does not run, all work waits.
package final class DelegateQueue: Sendable {
    /// A piece of work. Messages and replies, which are frequent, need no closures.
    package enum Work: Sendable {
        case message(IncomingMessage)
        case reply(Data, to: UUID, UncheckedBox<MessageHandlers>)
        /// `discard` is called instead if the app ends first.
        case call(@Sendable () -> Void, discard: (@Sendable () -> Void)?)
    }

    private struct Waiting {
        var work: [Work] = []
        var isDraining = false
        /// True if a thread waits for room.
        var wantsRoom = false
        weak var performer: (any DelegateQueuePerformer)?
    }

    /// The number of calls whose answers are sent as one batch. 32: the cost of a write is small by comparison, and the
    /// peer gets work in the meantime.
    private static let batchSize = 32
    /// The number of work items for which memory is kept between batches.
    private static let keptWork = 1_024
    /// The number of waiting work items from which the loop waits for room. 128: enough for the delegate until the loop is back;
    /// thousands of companions that send at the same time would otherwise fill the memory with their messages.
    package static let much = 128
    /// The longest wait for room. 1 ms: a delegate that blocks delays the link by as much in each turn, but does not stop it.
    private static let patience = DispatchTimeInterval.milliseconds(1)

    private let queue = DispatchQueue(label: "watchlink.session.delegate")
    private let waiting = Mutex(Waiting())
    private let room = DispatchSemaphore(value: 0)
    /// Changed under the lock, and read before each piece of work without it.
    private let held = SharedFlag()
    /// The number of times the app ended. Changed under the lock, and read before each piece of work without it.
    private let ends = SharedCount()

    package init() {}

    /// Sets the object that performs the work.
    package func start(_ performer: any DelegateQueuePerformer) { waiting.withLock { $0.performer = performer } }

    /// - Parameter discard: Called instead if the app ends first.
    package func enqueue(discard: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () -> Void) {
        let mustStart = waiting.withLock { waiting in
            waiting.work.append(.call(work, discard: discard))
            return start(&waiting)
        }
        if mustStart { begin() }
    }

    /// Enqueues the work of one loop turn, and empties the array.
    ///
    /// - Returns: `true` if ``drain()`` must be called soon.
    package func add(_ work: inout [Work]) -> Bool {
        guard !work.isEmpty else { return false }
        return waiting.withLock { waiting in
            if waiting.work.isEmpty {
                // Swapped, so that no list is allocated per turn.
                swap(&waiting.work, &work)
            } else {
                waiting.work.append(contentsOf: work)
                work.removeAll(keepingCapacity: true)
            }
            return start(&waiting)
        }
    }

    /// True if much work waits for other work that is being performed.
    package var isLong: Bool { waiting.withLock { Self.isLong($0) } }

    private static func isLong(_ waiting: Waiting) -> Bool { waiting.isDraining && waiting.work.count >= much }

    /// Waits while the queue is long, at most for a moment. The loop reads no more meanwhile.
    package func waitForRoom() {
        let mustWait = waiting.withLock { waiting in
            waiting.wantsRoom = Self.isLong(waiting)
            return waiting.wantsRoom
        }
        if mustWait { _ = room.wait(timeout: .now() + Self.patience) }
    }

    /// Schedules ``drain()`` on the queue.
    private func begin() { queue.async { self.drain() } }

    /// Suspends the app's code: the current piece of work finishes, and no other starts.
    package func hold() { waiting.withLock { _ in held.set() } }

    package func release() {
        let mustStart = waiting.withLock { waiting in
            held.set(false)
            return start(&waiting)
        }
        if mustStart { begin() }
    }

    /// Discards the waiting work, because the app's process ended.
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

    /// True while the app's code is suspended.
    package var isHeld: Bool { held.isSet }

    package var isIdle: Bool { waiting.withLock { $0.work.isEmpty && !$0.isDraining } }

    private func start(_ waiting: inout Waiting) -> Bool {
        guard !held.isSet, !waiting.isDraining, !waiting.work.isEmpty else { return false }
        waiting.isDraining = true
        return true
    }

    /// Performs the waiting work on the calling thread. Only one thread drains at a time.
    package func drain() {
        // Swapped, so that no list is allocated per batch.
        var batch: [Work] = []
        while true {
            let performer: (any DelegateQueuePerformer)?
            let goesOn: Bool
            let life: Int
            let isRoomWanted: Bool
            (performer, goesOn, life, isRoomWanted) = waiting.withLock { waiting in
                defer { waiting.wantsRoom = false }
                guard !held.isSet, !waiting.work.isEmpty else {
                    waiting.isDraining = false
                    return (waiting.performer, false, ends.value, waiting.wantsRoom)
                }
                swap(&batch, &waiting.work)
                return (waiting.performer, true, ends.value, waiting.wantsRoom)
            }
            if isRoomWanted { room.signal() }
            guard goesOn else {
                performer?.becameIdle()
                return
            }
            run(batch, performer, of: life)
            batch.removeAll(keepingCapacity: batch.count <= Self.keptWork)
        }
    }

    /// - Parameter life: The value of `ends` when the batch was taken.
    private func run(_ batch: [Work], _ performer: (any DelegateQueuePerformer)?, of life: Int) {
        defer { performer?.endRound() }
        guard batch.count > 1, let performer else {
            _ = run(batch, batch.indices, performer, of: life)
            return
        }
        for start in stride(from: 0, to: batch.count, by: Self.batchSize) {
            var goesOn = true
            performer.batched {
                goesOn = run(batch, start..<min(start + Self.batchSize, batch.count), performer, of: life)
            }
            guard goesOn else { return }
        }
    }

    /// - Returns: `false` if it was stopped.
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

    /// Stops in the middle of a batch: the rest is put back at the front, unless its app has ended.
    private func stop(before rest: ArraySlice<Work>, _ performer: (any DelegateQueuePerformer)?, of life: Int) {
        let isGone = waiting.withLock { waiting in
            guard ends.value == life else { return true }
            waiting.work = rest + waiting.work
            return false
        }
        if isGone { discard(rest, performer) }
    }
}
