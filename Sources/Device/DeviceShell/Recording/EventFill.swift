import CLinux
import Foundation

/// The memory of a batch of events, behind pointers: an access to a property of a class costs more than the rest of an event.
struct EventFill {
    private struct State {
        var count = 0
        /// The bytes of all contents.
        var bytes = 0
        /// The value of the latest content: where its bytes are, or the bytes themselves if they are few.
        var latest = SIMD2<UInt64>.zero
        var contents: [Data] = []
        var texts: [String] = []
        var devices: [UUID] = []
    }

    private let state: UnsafeMutablePointer<State>
    private let slots: UnsafeMutablePointer<EventSlot>

    init(events: Int) {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        // Each slot in one line of the cache.
        slots = UnsafeMutableRawPointer.allocate(
            byteCount: events * MemoryLayout<EventSlot>.stride, alignment: MemoryLayout<EventSlot>.stride
        ).bindMemory(to: EventSlot.self, capacity: events)
    }

    func free() {
        state.deinitialize(count: 1)
        state.deallocate()
        slots.deallocate()
    }

    var count: Int { state.pointee.count }
    var bytes: Int { state.pointee.bytes }

    // MARK: - Filling

    /// Adds an event. There must be a place for it.
    @inline(__always)
    func add(_ slot: EventSlot, size: Int) {
        (slots + state.pointee.count).initialize(to: slot)
        state.pointee.count += 1
        state.pointee.bytes += size
        // The next event must not wait for its place to arrive in the processor's cache.
        watchlink_prefetch_for_writing(slots + state.pointee.count)
    }

    /// Holds a content until the batch is read, and returns its number.
    ///
    /// The bytes are neither copied nor compared: they are in no near cache, and a look at them takes longer than all else in
    /// an event. A message passes the app's call and the link one after the other: it is held once.
    @inline(__always)
    func keep(_ data: Data) -> UInt16 {
        let value = withUnsafeBytes(of: data) { $0.loadUnaligned(as: SIMD2<UInt64>.self) }
        // Those bytes are still the same: nobody can change or free them while they are held.
        if value != state.pointee.latest || state.pointee.contents.isEmpty {
            state.pointee.contents.append(data)
            state.pointee.latest = value
        }
        return UInt16(truncatingIfNeeded: state.pointee.contents.count - 1)
    }

    /// Keeps words until the batch is read, and returns their number.
    func keep(_ text: String) -> Int {
        state.pointee.texts.append(text)
        return state.pointee.texts.count - 1
    }

    /// Returns the number of a device. One that alternates with others gets several.
    @inline(__always)
    func number(of device: UUID) -> UInt16 {
        if state.pointee.devices.last != device { state.pointee.devices.append(device) }
        return UInt16(truncatingIfNeeded: state.pointee.devices.count - 1)
    }

    // MARK: - Reading

    subscript(index: Int) -> EventSlot { slots[index] }

    func content(_ number: UInt16) -> Data { state.pointee.contents[Int(number)] }

    func text(_ number: Int) -> String { state.pointee.texts[number] }

    func device(_ number: UInt16) -> UUID { state.pointee.devices[Int(number)] }

    func removeAll() {
        state.pointee.contents.removeAll(keepingCapacity: true)
        state.pointee.texts.removeAll(keepingCapacity: true)
        state.pointee.devices.removeAll(keepingCapacity: true)
        (state.pointee.count, state.pointee.bytes) = (0, 0)
    }
}
