import CLinux
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
    ///
    /// - Parameter time: The time; only then is a clock read.
    package func note(
        _ name: StaticString, _ stage: DeviceEvent.Stage, _ message: UUID, _ content: Data, isData: Bool,
        wantsReply: Bool = false, of device: UUID? = nil, at time: @autoclosure () -> MonotonicTime
    ) {
        guard let side = current.load(ordering: .acquiring) else { return }
        side._withUnsafeGuaranteedRef {
            var slot = EventSlot(name, stage, message, at: time(), side: $0.number)
            if !isData { slot.parts.insert(.propertyList) }
            if wantsReply { slot.parts.insert(.wantsReply) }
            begin(&slot)
            end(slot, isAdded: $0.queue.add(slot, content, of: device))
        }
    }

    /// Adds an event, if there is a queue; only then is it made.
    package func note(_ event: @autoclosure () -> DeviceEvent) {
        guard let side = current.load(ordering: .acquiring) else { return }
        side._withUnsafeGuaranteedRef {
            let event = event()
            var slot = EventSlot(event.name, event.stage, event.package, at: event.time, side: $0.number)
            begin(&slot)
            end(slot, isAdded: $0.queue.add(event, as: slot))
        }
    }

    // MARK: - Calls of the app's code

    /// The tap of the device whose app's code the calling thread is in; 0 if none, or if that call is not in a recording.
    /// All uses are in this file, as each file can have variables of its own.
    private static var caller: UnsafeMutablePointer<UInt> { watchlink_thread_caller() }

    private static let latestIdentity = Atomic<UInt>(0)

    /// A number that no other tap of the process ever has, unlike an address: a thread may keep it for longer than the tap lives.
    private let identity = DeviceTap.latestIdentity.add(1, ordering: .relaxed).newValue

    /// Notes whether what the app does is done in a call of its code.
    @inline(__always)
    private func begin(_ slot: inout EventSlot) {
        guard slot.stage == .call || slot.stage == .answered else { return }
        if Self.caller.pointee == identity { slot.parts.insert(.inCall) }
    }

    /// Notes that the app's code is called.
    @inline(__always)
    private func end(_ slot: EventSlot, isAdded: Bool) {
        if slot.opensCall { Self.caller.pointee = isAdded ? identity : 0 }
    }

    /// Notes that the app's code that was called has returned. Costs nothing that another thread could wait for.
    package func returned() { Self.caller.pointee = 0 }
}
