/// A hash table of small numbers, by open addressing. Its user keeps what the numbers stand for, and compares.
struct HashIndex: ~Copyable {
    /// A slot holds eight bits of a hash and, above zero, a number plus one. One more slot, the last, counts the numbers.
    private let slots: GrowingBuffer<UInt32>
    /// The bits of the number. 24: an archive has at most 4 million objects.
    private static let numberMask: UInt32 = 0xFF_FFFF

    /// - Parameter capacity: a power of two.
    init(capacity: Int) {
        slots = GrowingBuffer(repeating: 0, count: capacity + 1)
    }

    private var mask: Int { slots.count - 2 }

    /// The number under a hash for which `isEqual` holds.
    @inline(__always)
    func find<Failure: Error>(
        _ hash: UInt64, isEqual: (UInt32) throws(Failure) -> Bool
    ) throws(Failure) -> UInt32? {
        let mask = mask
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let number = slots[slot] & Self.numberMask
            if slots[slot] == Self.tag(hash) | number, try isEqual(number - 1) { return number - 1 }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Adds a number that is not there yet.
    ///
    /// - Parameter rehash: the hash of an older number, for when the table grows.
    @inline(__always)
    func insert(_ number: UInt32, hash: UInt64, rehash: (UInt32) -> UInt64) {
        let count = Int(slots[mask + 1]) + 1
        // At most three quarters full, so that searches stay short.
        if 4 * count > 3 * (mask + 1) { grow(rehash) }
        place(number, hash: hash)
        slots[mask + 1] = UInt32(count)
    }

    @inline(__always)
    private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 56) << 24 }

    private func place(_ number: UInt32, hash: UInt64) {
        let mask = mask
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = Self.tag(hash) | (number + 1)
    }

    @inline(never)
    private func grow(_ rehash: (UInt32) -> UInt64) {
        let old = GrowingBuffer<UInt32>(capacity: slots.count)
        old.append(copying: slots.elements)
        let capacity = 2 * (mask + 1)
        slots.truncate(to: 0)
        slots.append(repeating: 0, count: capacity + 1)
        for slot in old.elements.dropLast() where slot != 0 {
            let number = (slot & Self.numberMask) - 1
            place(number, hash: rehash(number))
        }
    }
}
