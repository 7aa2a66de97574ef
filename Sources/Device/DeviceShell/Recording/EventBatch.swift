import Foundation
import LinkProtocol

/// The events that were noted since the recorder's thread looked last, in memory that is used again and again.
// Proof of `@unchecked Sendable`: it belongs to a queue, which fills it under its lock, or to the thread that took it.
package final class EventBatch: @unchecked Sendable {
    /// The bytes for copies of contents. 256 KiB: those of a thousand messages, of which a batch rarely has as many; when they are
    /// full, the contents themselves are held.
    static let copiedBytes = 256 * 1024
    /// The number of copies that are remembered while they are read. 2: a message and its answer pass the app's call and the
    /// link.
    private static let recent = 2

    let fill: EventFill
    /// The latest copies that were read: the same bytes are told as the same data.
    private var read: [(place: EventSlot.Place, data: Data)] = []
    /// The names that were told, by their addresses: each is made once.
    private var names: [(address: UnsafePointer<UInt8>, name: String)] = []

    package init() { fill = EventFill(events: EventQueue.most, bytes: Self.copiedBytes) }

    deinit { fill.free() }

    package var count: Int { fill.count }

    /// Calls a closure with each event in order, and removes them all.
    package func drain(_ use: (NotedEvent) -> Void) {
        for index in 0..<fill.count { use(event(fill[index])) }
        fill.removeAll()
        read.removeAll(keepingCapacity: true)
    }

    private func event(_ slot: EventSlot) -> NotedEvent {
        NotedEvent(
            side: Int(slot.side), time: MonotonicTime(nanoseconds: slot.time), thread: slot.thread,
            name: name(slot.name), stage: slot.stage, package: slot.package, device: slot.device,
            content: content(slot),
            bytes: slot.parts.contains(.bytes) ? slot.number : nil,
            error: slot.parts.contains(.error) ? slot.number : nil, wantsReply: slot.parts.contains(.wantsReply),
            words: words(slot))
    }

    private func name(_ text: StaticString) -> String {
        let address = text.utf8Start
        if let known = names.first(where: { $0.address == address }) { return known.name }
        let name = "\(text)"
        names.append((address, name))
        return name
    }

    private func words(_ slot: EventSlot) -> String? {
        if slot.parts.contains(.link) { return slot.command.rawValue + " " + slot.status.rawValue }
        return slot.words == .none ? nil : fill.text(slot.words)
    }

    private func content(_ slot: EventSlot) -> DeviceEvent.Content? {
        guard slot.content != .none else { return nil }
        let data = slot.content.count == EventSlot.Place.kept ? fill.content(slot.content) : copy(slot.content)
        return slot.parts.contains(.propertyList) ? .propertyList(data) : .bytes(data)
    }

    private func copy(_ place: EventSlot.Place) -> Data {
        if let known = read.last(where: { $0.place == place }) { return known.data }
        let data = fill.content(place)
        if read.count == Self.recent { read.removeFirst() }
        read.append((place, data))
        return data
    }
}
