import Foundation

/// The decoded objects of an archive by UID, and marks for some others. Memory pages of unused UIDs are never touched.
struct SlotTable: ~Copyable {
    private let slots: UnsafeMutablePointer<Unmanaged<AnyObject>?>
    let count: Int

    /// - Returns: Nil if there is not enough memory.
    init?(count: Int) {
        guard let memory = calloc(count, MemoryLayout<Unmanaged<AnyObject>?>.stride) else { return nil }
        slots = memory.bindMemory(to: Unmanaged<AnyObject>?.self, capacity: count)
        self.count = count
    }

    deinit {
        for slot in UnsafeBufferPointer(start: slots, count: count) { slot?.release() }
        free(slots)
    }

    subscript(uid: UInt32) -> AnyObject? {
        get {
            guard Int(uid) < count else { return nil }
            return slots[Int(uid)]?.takeUnretainedValue()
        }
        nonmutating set {
            guard Int(uid) < count else { return }
            slots[Int(uid)]?.release()
            slots[Int(uid)] = newValue.map { Unmanaged.passRetained($0) }
        }
    }
}
