import LinkProtocol

/// The scheduled events, earliest first, in scheduling order where times are equal: a binary heap of numbers. The
/// events are stored beside the heap, so sorting does not move them.
struct EventQueue {
    /// The node an event happens to, and the life it belongs to.
    struct Target {
        let node: Int32
        let life: Int32

        /// The world itself, whatever the lives of its nodes.
        static let world = Target(node: 0, life: 0)

        init(node: Int, life: Int) { (self.node, self.life) = (Int32(node), Int32(life)) }
    }

    private struct Entry {
        let time: MonotonicTime
        /// The number of the event in scheduling order; a run ends long before it overflows.
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
            // Swapped, here and below, to avoid reference counting of the event's contents.
            swap(&event, &events[Int(slot)])
        } else {
            slot = UInt32(events.count)
            targets.append(target)
            events.append(event)
        }
        let entry = Entry(time: time, sequence: lastSequence, slot: slot)
        heap.append(entry)
        // As a buffer: an array would check its uniqueness at every step.
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

    /// Fills the root from below, then lets the entry, the former last one, rise from the vacated leaf: mostly not far.
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
