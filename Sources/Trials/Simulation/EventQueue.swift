import LinkProtocol

/// The scheduled events, earliest first, in scheduling order where times are equal: a binary heap of numbers. The
/// events are stored beside the heap, so sorting does not move them.
///
/// In memory of its own, as every event passes through it: arrays would check their uniqueness and bounds at each step,
/// and copy an event that leaves.
struct EventQueue: ~Copyable {
    /// The node an event happens to, and the life it belongs to.
    struct Target {
        let node: Int32
        let life: Int32

        /// The world itself, whatever the lives of its nodes.
        static let world = Target(node: 0, life: 0)

        init(node: Int, life: Int) { (self.node, self.life) = (Int32(node), Int32(life)) }
    }

    private struct Entry {
        /// The time, the number of the event in scheduling order, which a run never exhausts, and the slot: compared as
        /// one number, without a branch that the processor cannot foresee.
        private let number: UInt128

        /// - Parameter time: Not before the start of the run.
        init(time: MonotonicTime, sequence: UInt32, slot: UInt32) {
            number =
                UInt128(UInt64(truncatingIfNeeded: time.nanoseconds)) << 64
                | UInt128(UInt64(sequence) << 32 | UInt64(slot))
        }

        var time: MonotonicTime { MonotonicTime(nanoseconds: Int64(truncatingIfNeeded: number >> 64)) }
        var slot: Int { Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: number)) }

        func precedes(_ other: Entry) -> Bool { number < other.number }
    }

    /// An event and its target.
    private struct Slot {
        let target: Target
        let event: Event
    }

    /// The room of a new queue: some hundred events wait at a time.
    private static let firstRoom = 256

    private(set) var count = 0
    private var lastSequence: UInt32 = 0
    /// The room for entries and slots.
    private var room = Self.firstRoom
    /// The heap of waiting events, then the entries that name the free slots.
    private var heap = Self.entries(from: 0, to: Self.firstRoom)
    /// The slots that the heap names are initialized, the others not.
    private var slots = UnsafeMutablePointer<Slot>.allocate(capacity: Self.firstRoom)

    var nextTime: MonotonicTime? { count == 0 ? nil : heap[0].time }

    deinit {
        for place in 0..<count { (slots + heap[place].slot).deinitialize(count: 1) }
        heap.deallocate()
        slots.deallocate()
    }

    mutating func add(at time: MonotonicTime, _ target: Target, _ event: consuming Event) {
        if count == room { grow() }
        lastSequence += 1
        let slot = heap[count].slot
        let entry = Entry(time: time, sequence: lastSequence, slot: UInt32(truncatingIfNeeded: slot))
        (slots + slot).initialize(to: Slot(target: target, event: event))
        count += 1
        rise(entry, from: count - 1)
    }

    mutating func popFirst() -> (Target, Event)? {
        guard count > 0 else { return nil }
        let first = heap[0]
        count -= 1
        let last = heap[count]
        if count > 0 { replaceFirst(with: last) }
        heap[count] = first
        let slot = (slots + first.slot).move()
        return (slot.target, slot.event)
    }

    /// Fills the root from below, then lets the entry, the former last one, rise from the vacated leaf: mostly not far.
    private func replaceFirst(with last: Entry) {
        var place = 0
        var child = 1
        while child < count {
            if child + 1 < count { child += heap[child + 1].precedes(heap[child]) ? 1 : 0 }
            heap[place] = heap[child]
            place = child
            child = 2 * place + 1
        }
        rise(last, from: place)
    }

    private func rise(_ entry: Entry, from place: Int) {
        var child = place
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.precedes(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    private mutating func grow() {
        let (larger, moved) = (
            Self.entries(from: room, to: 2 * room), UnsafeMutablePointer<Slot>.allocate(capacity: 2 * room)
        )
        larger.update(from: heap, count: room)
        moved.moveInitialize(from: slots, count: room)
        heap.deallocate()
        slots.deallocate()
        (heap, slots, room) = (larger, moved, 2 * room)
    }

    /// Returns memory for entries, of which those in a range name free slots.
    private static func entries(from start: Int, to end: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: end)
        for place in 0..<end {
            let slot = place < start ? 0 : UInt32(place)
            (entries + place).initialize(to: Entry(time: MonotonicTime(nanoseconds: 0), sequence: 0, slot: slot))
        }
        return entries
    }
}
