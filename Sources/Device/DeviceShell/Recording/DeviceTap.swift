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

    /// Adds an event, if there is a queue; only then is it made.
    package func note(_ event: @autoclosure () -> DeviceEvent) {
        guard let side = current.load(ordering: .acquiring) else { return }
        side._withUnsafeGuaranteedRef { $0.queue.add(event(), of: $0.number) }
    }
}
