import CLinux
import Foundation

/// The memory of a batch of events, in one line of the processor's cache beside the events themselves.
struct EventFill {
    private(set) var count = 0
    /// The bytes of all contents.
    private(set) var bytes = 0
    /// The value of the latest content: where its bytes are, or the bytes themselves if they are few.
    private var latest = SIMD2<UInt64>.zero
    private let slots: UnsafeMutablePointer<EventSlot>
    private var contents: [Data] = []
    private var texts: [String] = []
    private var devices: [UUID] = []

    init(events: Int) {
        // Each slot in one line of the cache.
        slots = UnsafeMutableRawPointer.allocate(
            byteCount: events * MemoryLayout<EventSlot>.stride, alignment: MemoryLayout<EventSlot>.stride
        ).bindMemory(to: EventSlot.self, capacity: events)
    }

    func free() { slots.deallocate() }

    // MARK: - Filling

    /// Adds an event. There must be a place for it.
    @inline(__always)
    mutating func add(_ slot: EventSlot, size: Int) {
        (slots + count).initialize(to: slot)
        count += 1
        bytes += size
        // The next event must not wait for its place to arrive in the processor's cache.
        watchlink_prefetch_for_writing(slots + count)
    }

    /// Holds a content until the batch is read, and returns its number.
    ///
    /// The bytes are neither copied nor compared: they are in no near cache, and a look at them takes longer than all else in
    /// an event. A message passes the app's call and the link one after the other: it is held once.
    @inline(__always)
    mutating func keep(_ data: Data) -> UInt16 {
        let value = withUnsafeBytes(of: data) { $0.loadUnaligned(as: SIMD2<UInt64>.self) }
        // Those bytes are still the same: nobody can change or free them while they are held.
        if value != latest || contents.isEmpty {
            contents.append(data)
            latest = value
        }
        return UInt16(truncatingIfNeeded: contents.count - 1)
    }

    /// Keeps words until the batch is read, and returns their number.
    mutating func keep(_ text: String) -> Int {
        texts.append(text)
        return texts.count - 1
    }

    /// Returns the number of a device. One that alternates with others gets several.
    @inline(__always)
    mutating func number(of device: UUID) -> UInt16 {
        if devices.last != device { devices.append(device) }
        return UInt16(truncatingIfNeeded: devices.count - 1)
    }

    // MARK: - Reading

    subscript(index: Int) -> EventSlot { slots[index] }

    func content(_ number: UInt16) -> Data { contents[Int(number)] }

    func text(_ number: Int) -> String { texts[number] }

    func device(_ number: UInt16) -> UUID { devices[Int(number)] }

    mutating func removeAll() {
        contents.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
        (count, bytes) = (0, 0)
    }
}
