import LinkProtocol

/// What is to happen when, the earliest first, and in the order of scheduling where the time is the same: a binary heap of
/// numbers, with the events beside it, so that sorting moves nothing else.
struct EventQueue {
    /// Whom an event happens to: a node in one of its lives.
    struct Target {
        let node: Int32
        let life: Int32

        /// The world's own, whoever lives.
        static let world = Target(node: 0, life: 0)

        init(node: Int, life: Int) { (self.node, self.life) = (Int32(node), Int32(life)) }
    }

    struct Item {
        let target: Target
        let event: Event
    }

    private struct Entry {
        let time: MonotonicTime
        /// Counts what was added: a run ends long before it has so many events.
        let sequence: UInt32
        let slot: UInt32

        func precedes(_ other: Entry) -> Bool {
            time == other.time ? sequence < other.sequence : time < other.time
        }
    }

    private var heap: [Entry] = []
    private var slots: [Item] = []
    private var free: [UInt32] = []
    private var lastSequence: UInt32 = 0

    var count: Int { heap.count }
    var nextTime: MonotonicTime? { heap.first?.time }

    mutating func add(at time: MonotonicTime, _ item: consuming Item) {
        lastSequence += 1
        let slot: UInt32
        if let known = free.popLast() {
            slot = known
            slots[Int(slot)] = item
        } else {
            slot = UInt32(slots.count)
            slots.append(item)
        }
        let entry = Entry(time: time, sequence: lastSequence, slot: slot)
        heap.append(entry)
        // Looked at as a buffer: an array would be asked at each step if it is shared.
        heap.withUnsafeMutableBufferPointer { heap in
            var child = heap.count - 1
            while child > 0 {
                let parent = (child - 1) / 2
                guard entry.precedes(heap[parent]) else { break }
                heap[child] = heap[parent]
                child = parent
            }
            heap[child] = entry
        }
    }

    mutating func popFirst() -> Item? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty { heap.withUnsafeMutableBufferPointer { Self.sink(last, in: $0) } }
        free.append(first.slot)
        // Taken, not copied: nothing is counted that an event holds.
        var item = Item(target: .world, event: .nothing)
        swap(&item, &slots[Int(first.slot)])
        return item
    }

    /// Puts an entry where the first one was, and from there to its place.
    private static func sink(_ last: Entry, in heap: UnsafeMutableBufferPointer<Entry>) {
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
}
