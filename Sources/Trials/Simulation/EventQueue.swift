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
    private var targets: [Target] = []
    private var events: [Event] = []
    private var free: [UInt32] = []
    private var lastSequence: UInt32 = 0

    var count: Int { heap.count }
    var nextTime: MonotonicTime? { heap.first?.time }

    mutating func add(at time: MonotonicTime, _ target: Target, _ event: consuming Event) {
        lastSequence += 1
        let slot: UInt32
        if let known = free.popLast() {
            slot = known
            targets[Int(slot)] = target
            // Exchanged, here and below, for nothing: what an event holds is not counted on its way.
            swap(&event, &events[Int(slot)])
        } else {
            slot = UInt32(events.count)
            targets.append(target)
            events.append(event)
        }
        let entry = Entry(time: time, sequence: lastSequence, slot: slot)
        heap.append(entry)
        // Looked at as a buffer: an array would be asked at each step if it is shared.
        heap.withUnsafeMutableBufferPointer { Self.rise(entry, from: $0.count - 1, in: $0) }
    }

    mutating func popFirst() -> (Target, Event)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty { heap.withUnsafeMutableBufferPointer { Self.replaceFirst(with: last, in: $0) } }
        free.append(first.slot)
        var event = Event.nothing
        swap(&event, &events[Int(first.slot)])
        return (targets[Int(first.slot)], event)
    }

    /// Fills the first place from below, then lets the entry rise from the place that is left: it comes from the end, and mostly stays
    /// there.
    private static func replaceFirst(with last: Entry, in heap: UnsafeMutableBufferPointer<Entry>) {
        var place = 0
        var child = 1
        while child < heap.count {
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            heap[place] = heap[child]
            place = child
            child = 2 * place + 1
        }
        rise(last, from: place, in: heap)
    }

    private static func rise(_ entry: Entry, from place: Int, in heap: UnsafeMutableBufferPointer<Entry>) {
        var child = place
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.precedes(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }
}
