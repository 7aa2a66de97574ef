import Foundation
import LinkProtocol

/// The events that were noted since the recorder's thread looked last, in memory that is used again and again.
// Proof of `@unchecked Sendable`: it belongs to the thread that takes events.
package final class EventBatch: @unchecked Sendable {
    /// Changes places with that of the queue, so that neither is ever made anew.
    var fill: EventFill
    /// The names that were told, by their addresses: each is made once.
    private var names: [(address: UnsafePointer<UInt8>, name: String)] = []

    package init() { fill = EventFill(events: EventQueue.most) }

    deinit { fill.free() }

    package var count: Int { fill.count }

    /// Calls a closure with each event in order, and removes them all.
    package func drain(_ use: (NotedEvent) -> Void) {
        for index in 0..<fill.count { use(event(fill[index])) }
        fill.removeAll()
    }

    private func event(_ slot: EventSlot) -> NotedEvent {
        NotedEvent(
            side: Int(slot.side), time: MonotonicTime(nanoseconds: slot.time), thread: slot.thread,
            name: name(slot.name), stage: slot.stage, package: slot.parts.contains(.package) ? slot.package : nil,
            device: slot.device == EventSlot.noDevice ? nil : fill.device(slot.device), content: content(slot),
            bytes: slot.parts.contains(.bytes) ? slot.number : nil,
            error: slot.parts.contains(.error) ? slot.number : nil, wantsReply: slot.parts.contains(.wantsReply),
            words: words(slot), isInCall: slot.parts.contains(.inCall))
    }

    private func name(_ address: UnsafePointer<UInt8>) -> String {
        if let known = names.first(where: { $0.address == address }) { return known.name }
        let name = String(cString: address)
        names.append((address, name))
        return name
    }

    private func words(_ slot: EventSlot) -> String? {
        if slot.parts.contains(.link) { return slot.command.rawValue + " " + slot.status.rawValue }
        return slot.parts.contains(.words) ? fill.text(slot.number) : nil
    }

    private func content(_ slot: EventSlot) -> DeviceEvent.Content? {
        guard slot.content != EventSlot.noContent else { return nil }
        let data = fill.content(slot.content)
        return slot.parts.contains(.propertyList) ? .propertyList(data) : .bytes(data)
    }
}
