/// A hash table of small numbers with open addressing. Its user stores what the numbers refer to, and compares.
struct HashIndex: ~Copyable {
    /// Each slot holds the upper 40 bits of a hash and, below them, a number plus one. An additional last slot counts
    /// the numbers.
    private let slots: GrowingBuffer<UInt64>
    private let firstCapacity: Int
    /// 24 bits for the number: an archive has at most 4 million objects.
    private static let numberBits: UInt64 = 24
    private static let numberMask: UInt64 = 1 << numberBits - 1
    /// Fourfold growth: memory costs less than repeated moves.
    private static let growth = 4

    /// - Parameter capacity: The number of slots, a power of two.
    init(capacity: Int) {
        firstCapacity = capacity
        slots = GrowingBuffer(repeating: 0, count: capacity + 1)
    }

    /// Removes all numbers and shrinks to the first capacity: clearing a large table would slow its next small use.
    func removeAll() {
        slots.truncate(to: 0)
        slots.append(repeating: 0, count: firstCapacity + 1)
    }

    private var mask: Int { slots.count - 2 }

    /// Returns the number under a hash for which `isEqual` is true.
    @inline(__always)
    func find<Failure: Error>(
        _ hash: UInt64, isEqual: (UInt32) throws(Failure) -> Bool
    ) throws(Failure) -> UInt32? {
        var slot = 0
        return try find(hash, slot: &slot, isEqual: isEqual)
    }

    /// - Parameter slot: Set to the slot of the number, or to the free slot for ``insert(_:hash:slot:)``.
    @inline(__always)
    func find<Failure: Error>(
        _ hash: UInt64, slot: inout Int, isEqual: (UInt32) throws(Failure) -> Bool
    ) throws(Failure) -> UInt32? {
        let mask = mask
        slot = Self.position(hash, mask)
        while slots[slot] != 0 {
            let content = slots[slot]
            if (content ^ hash) >> Self.numberBits == 0 {
                let number = UInt32(truncatingIfNeeded: content & Self.numberMask) - 1
                if try isEqual(number) { return number }
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Adds a new number.
    ///
    /// - Parameter slot: The slot that the search for the number returned.
    @inline(__always)
    func insert(_ number: UInt32, hash: UInt64, slot: Int) {
        let count = slots[mask + 1] + 1
        slots[mask + 1] = count
        slots[slot] = hash & ~Self.numberMask | UInt64(number + 1)
        // At most three quarters full, so that searches stay short.
        if 4 * Int(count) > 3 * (mask + 1) { grow() }
    }

    /// Adds a new number that was not searched for.
    @inline(__always)
    func insert(_ number: UInt32, hash: UInt64) {
        let mask = mask
        var slot = Self.position(hash, mask)
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        insert(number, hash: hash, slot: slot)
    }

    @inline(__always)
    private static func position(_ hash: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: hash >> numberBits) & mask
    }

    @inline(never)
    private func grow() {
        let old = GrowingBuffer<UInt64>(capacity: slots.count)
        old.append(copying: slots.elements)
        let (oldCapacity, capacity) = (mask + 1, Self.growth * (mask + 1))
        slots.truncate(to: 0)
        slots.append(repeating: 0, count: capacity + 1)
        slots[capacity] = old[oldCapacity]
        for position in 0..<oldCapacity where old[position] != 0 {
            var slot = Self.position(old[position], capacity - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = old[position]
        }
    }
}
