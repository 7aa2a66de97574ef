/// A hash table of small numbers, by open addressing. Its user keeps what the numbers stand for, and compares.
struct HashIndex: ~Copyable {
    /// A slot holds eight bits of a hash and, above zero, a number plus one. One more slot, the last, counts the numbers.
    private let slots: GrowingBuffer<UInt32>
    private let firstCapacity: Int
    /// The bits of the number. 24: an archive has at most 4 million objects.
    private static let numberMask: UInt32 = 0xFF_FFFF

    /// - Parameter capacity: a power of two.
    init(capacity: Int) {
        firstCapacity = capacity
        slots = GrowingBuffer(repeating: 0, count: capacity + 1)
    }

    /// Forgets all numbers; small again, as clearing a large table would cost the next small use of it.
    func removeAll() {
        slots.truncate(to: 0)
        slots.append(repeating: 0, count: firstCapacity + 1)
    }

    private var mask: Int { slots.count - 2 }

    /// The number under a hash for which `isEqual` holds.
    @inline(__always)
    func find<Failure: Error>(
        _ hash: UInt64, isEqual: (UInt32) throws(Failure) -> Bool
    ) throws(Failure) -> UInt32? {
        var slot = 0
        return try find(hash, slot: &slot, isEqual: isEqual)
    }

    /// - Parameter slot: where the number is, or could be put: see ``insert(_:hash:slot:rehash:)``.
    @inline(__always)
    func find<Failure: Error>(
        _ hash: UInt64, slot: inout Int, isEqual: (UInt32) throws(Failure) -> Bool
    ) throws(Failure) -> UInt32? {
        let mask = mask
        slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let number = slots[slot] & Self.numberMask
            if slots[slot] == Self.tag(hash) | number, try isEqual(number - 1) { return number - 1 }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Adds a number that is not there yet.
    ///
    /// - Parameters:
    ///   - slot: as the search for it left it.
    ///   - rehash: the hash of an older number, for when the table grows.
    @inline(__always)
    func insert(_ number: UInt32, hash: UInt64, slot: Int, rehash: (UInt32) -> UInt64) {
        let count = slots[mask + 1] + 1
        slots[mask + 1] = count
        slots[slot] = Self.tag(hash) | (number + 1)
        // At most three quarters full, so that searches stay short.
        if 4 * Int(count) > 3 * (mask + 1) { grow(rehash) }
    }

    /// Adds a number that is not there yet and was not searched for.
    @inline(__always)
    func insert(_ number: UInt32, hash: UInt64, rehash: (UInt32) -> UInt64) {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        insert(number, hash: hash, slot: slot, rehash: rehash)
    }

    @inline(__always)
    private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 56) << 24 }

    @inline(never)
    private func grow(_ rehash: (UInt32) -> UInt64) {
        let old = GrowingBuffer<UInt32>(capacity: slots.count)
        old.append(copying: slots.elements)
        let (oldCapacity, capacity) = (mask + 1, Self.growth * (mask + 1))
        slots.truncate(to: 0)
        slots.append(repeating: 0, count: capacity + 1)
        slots[capacity] = old[oldCapacity]
        for position in 0..<oldCapacity where old[position] != 0 {
            let hash = rehash((old[position] & Self.numberMask) - 1)
            var slot = Int(truncatingIfNeeded: hash) & (capacity - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = old[position]
        }
    }

    /// Fourfold: room costs less than moving all again and again.
    private static let growth = 4
}
