package import Foundation
package import LinkProtocol
import Locking
import Synchronization

/// The place at which a device adds its events to the queue of a recorder. Without one, an event costs one check.
package final class DeviceTap: Sendable {
    /// The device in a recording.
    private final class Side: Sendable {
        let queue: EventQueue
        let number: Int

        init(_ queue: EventQueue, _ number: Int) { (self.queue, self.number) = (queue, number) }
    }

    /// The side in the present recording, without a lock for its readers: it lives as long as the tap.
    private let current = Atomic<Unmanaged<Side>?>(nil)
    /// The sides in all recordings. Each is small, once its events are written.
    private let sides = Mutex<[Side]>([])

    package init() {}

    /// Adds events to a queue from now on.
    ///
    /// - Parameter number: The number of the device in the recording.
    /// - Returns: False if there is a queue already, which stays.
    package func open(_ queue: EventQueue, side number: Int) -> Bool {
        sides.withLock { sides in
            guard !isTold else { return false }
            let side = Side(queue, number)
            sides.append(side)
            current.store(.passUnretained(side), ordering: .releasing)
            return true
        }
    }

    /// True if events are added to a queue.
    package var isTold: Bool { current.load(ordering: .relaxed) != nil }

    /// Stops adding events. One that another thread adds at this moment may still come.
    package func close() { sides.withLock { _ in current.store(nil, ordering: .releasing) } }

    /// Adds the event of a package on the link, if there is a queue.
    ///
    /// - Parameters:
    ///   - device: The watch that it comes from or goes to, on a phone that serves several at the same time.
    ///   - time: The start of the loop's turn, for which no clock is read.
    func note(_ package: MessagePackage, isWritten: Bool, with device: UUID?, at time: MonotonicTime) {
        guard let side = current.load(ordering: .acquiring) else { return }
        side._withUnsafeGuaranteedRef {
            $0.queue.add(package, isWritten: isWritten, with: device, at: time, of: $0.number)
        }
    }

    /// Adds the event of a message, if there is a queue.
    ///
    /// A message's four calls are noted by this alone: the parts of a ``DeviceEvent`` would be copied and counted several times
    /// on their way, which takes ten times as long.
    package func note(
        _ name: StaticString, _ stage: DeviceEvent.Stage, _ message: UUID, _ content: Data, isData: Bool,
        wantsReply: Bool = false, of device: UUID? = nil, at time: MonotonicTime
    ) {
        guard let side = current.load(ordering: .acquiring) else { return }
        side._withUnsafeGuaranteedRef {
            var slot = EventSlot(name, stage, message, of: device, at: time, side: $0.number)
            if !isData { slot.parts.insert(.propertyList) }
            if wantsReply { slot.parts.insert(.wantsReply) }
            $0.queue.add(slot, content)
        }
    }

    /// Adds the end of a call of the app's code, if there is a queue. Its time is not recorded, so that no clock is read for it.
    package func noteReturn(from name: StaticString, at start: MonotonicTime) {
        guard let side = current.load(ordering: .acquiring) else { return }
        side._withUnsafeGuaranteedRef {
            $0.queue.add(EventSlot(name, .returned, nil, of: nil, at: start, side: $0.number), nil)
        }
    }

    /// Adds an event, if there is a queue; only then is it made.
    package func note(_ event: @autoclosure () -> DeviceEvent) {
        guard let side = current.load(ordering: .acquiring) else { return }
        side._withUnsafeGuaranteedRef { $0.queue.add(event(), of: $0.number) }
    }
}
