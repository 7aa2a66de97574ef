import LinkProtocol

/// What is to happen when, the earliest first, and in the order of scheduling where the time is the same: a binary heap of
/// numbers, with the actions beside it, so that sorting moves nothing else.
struct EventQueue {
    struct Event {
        /// The node that it happens to, in one of its lives; nil for the world's own.
        let target: (node: Int, life: Int)?
        let action: () -> Void
    }

    private struct Entry {
        let time: MonotonicTime
        let sequence: UInt64
        let slot: Int

        func precedes(_ other: Entry) -> Bool {
            time == other.time ? sequence < other.sequence : time < other.time
        }
    }

    private var heap: [Entry] = []
    private var slots: [Event?] = []
    private var free: [Int] = []
    private var lastSequence: UInt64 = 0

    var count: Int { heap.count }
    var nextTime: MonotonicTime? { heap.first?.time }

    mutating func add(at time: MonotonicTime, _ event: Event) {
        lastSequence += 1
        let slot: Int
        if let known = free.popLast() {
            slot = known
            slots[slot] = event
        } else {
            slot = slots.count
            slots.append(event)
        }
        let entry = Entry(time: time, sequence: lastSequence, slot: slot)
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.precedes(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    mutating func popFirst() -> Event? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            var parent = 0
            while true {
                var least = 2 * parent + 1
                guard least < heap.count else { break }
                if least + 1 < heap.count, heap[least + 1].precedes(heap[least]) { least += 1 }
                guard heap[least].precedes(last) else { break }
                heap[parent] = heap[least]
                parent = least
            }
            heap[parent] = last
        }
        free.append(first.slot)
        return slots[first.slot].take()
    }
}
