import CLinux
import Foundation

/// The memory of a batch of events, behind pointers: an access to a property of a class costs more than the rest of an event.
struct EventFill {
    /// The most bytes of a content that is copied. 4 KiB: more than most messages have; a copy of more would take longer than to
    /// hold the bytes themselves.
    static let mostCopied = 4 * 1024

    private struct State {
        var count = 0
        /// The bytes of all contents.
        var bytes = 0
        var copied = 0
        /// The two latest copies, the newer first: a message and its answer pass the app's call and the link.
        var latest = (EventSlot.Place.none, EventSlot.Place.none)
        var contents: [Data] = []
        var texts: [String] = []
    }

    private let state: UnsafeMutablePointer<State>
    private let slots: UnsafeMutablePointer<EventSlot>
    private let copies: UnsafeMutableRawPointer
    /// The bytes for copies.
    private let room: Int

    init(events: Int, bytes: Int) {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        slots = .allocate(capacity: events)
        copies = .allocate(byteCount: bytes, alignment: MemoryLayout<UInt64>.alignment)
        room = bytes
    }

    func free() {
        state.deinitialize(count: 1)
        state.deallocate()
        slots.deallocate()
        copies.deallocate()
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
        watchlink_prefetch_for_writing(UnsafeRawPointer(slots + state.pointee.count) + 64)
    }

    /// Keeps a content until the batch is read: a copy of its bytes, or the content itself.
    func keep(_ data: Data) -> EventSlot.Place {
        if let place = data.withUnsafeBytes({ $0.count <= Self.mostCopied ? copy($0) : nil }) { return place }
        state.pointee.contents.append(data)
        return EventSlot.Place(
            count: EventSlot.Place.kept, index: Int32(truncatingIfNeeded: state.pointee.contents.count - 1))
    }

    /// Keeps words until the batch is read.
    func keep(_ text: String) -> EventSlot.Place {
        state.pointee.texts.append(text)
        return EventSlot.Place(
            count: EventSlot.Place.kept, index: Int32(truncatingIfNeeded: state.pointee.texts.count - 1))
    }

    /// Returns the place of a copy: that of the same bytes if they are among the latest; nil if there is no room.
    private func copy(_ data: UnsafeRawBufferPointer) -> EventSlot.Place? {
        let latest = state.pointee.latest
        if isCopy(latest.0, of: data) { return latest.0 }
        if isCopy(latest.1, of: data) { return latest.1 }
        let offset = state.pointee.copied
        guard offset + data.count <= room else { return nil }
        if let start = data.baseAddress { memcpy(copies + offset, start, data.count) }
        let place = EventSlot.Place(
            count: Int32(truncatingIfNeeded: data.count), index: Int32(truncatingIfNeeded: offset))
        state.pointee.copied = offset + data.count
        state.pointee.latest = (place, latest.0)
        return place
    }

    @inline(__always)
    private func isCopy(_ place: EventSlot.Place, of data: UnsafeRawBufferPointer) -> Bool {
        guard Int(place.count) == data.count else { return false }
        guard let start = data.baseAddress else { return true }
        return memcmp(copies + Int(place.index), start, data.count) == 0
    }

    // MARK: - Reading

    subscript(index: Int) -> EventSlot { slots[index] }

    func content(_ place: EventSlot.Place) -> Data {
        place.count == EventSlot.Place.kept
            ? state.pointee.contents[Int(place.index)]
            : Data(bytes: copies + Int(place.index), count: Int(place.count))
    }

    func text(_ place: EventSlot.Place) -> String { state.pointee.texts[Int(place.index)] }

    func removeAll() {
        state.pointee.contents.removeAll(keepingCapacity: true)
        state.pointee.texts.removeAll(keepingCapacity: true)
        (state.pointee.count, state.pointee.bytes, state.pointee.copied) = (0, 0, 0)
        state.pointee.latest = (.none, .none)
    }
}
