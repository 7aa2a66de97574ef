package import Dispatch
import Locking

/// The events that wait for a recorder's thread: those of one device, or of several in their common order.
///
/// An app's threads pass here. Between two messages of an app this code leaves the processor's caches, and each line of them
/// that it fills again delays the next message; hence one lock, and nothing that is not needed at once.
// Proof of `@unchecked Sendable`: everything that changes is accessed only under the lock.
package final class EventQueue: @unchecked Sendable {
    /// The longest queue, in events. 8,192: as many as the log's queue; when the disk is slower, events are dropped and
    /// counted.
    package static let most = 8_192
    /// The most bytes of contents in the queue. 64 MiB: a thousand of the largest messages.
    package static let mostBytes = 64 * 1024 * 1024

    /// An event with the number of its device.
    package struct Entry: Sendable {
        package let side: Int
        package let event: DeviceEvent
    }

    private let lock = ManualLock()
    private var entries: [Entry] = []
    private var bytes = 0
    private var dropped = 0
    /// True while the thread looks by itself.
    private var isAwake = false
    /// True from the signal that the thread must not collect any longer until it has taken the events.
    private var isHurried = false
    private var isClosed = false

    private let wake = DispatchSemaphore(value: 0)
    /// Signalled when the thread must not collect any longer.
    private let hurry = DispatchSemaphore(value: 0)

    package init() {}

    // MARK: - From any thread

    /// Adds an event, or counts it when the queue is full.
    func add(_ event: consuming DeviceEvent, of side: Int) {
        lock.lock()
        defer { lock.unlock() }
        guard !isClosed else { return }
        let size = event.details.size
        guard entries.count < Self.most, bytes + size <= Self.mostBytes else {
            dropped += 1
            return hurryUp()
        }
        bytes += size
        entries.append(Entry(side: side, event: event))
        if !isAwake {
            isAwake = true
            wake.signal()
        } else if entries.count == Self.most / 2 {
            hurryUp()
        }
    }

    /// Signals once: each signal more would let the thread look once more in vain.
    private func hurryUp() {
        guard !isHurried else { return }
        isHurried = true
        hurry.signal()
    }

    /// Takes no more events, and lets the thread take the rest at once.
    package func close() {
        lock.lock()
        defer { lock.unlock() }
        isClosed = true
        wake.signal()
        hurryUp()
    }

    // MARK: - On the thread

    /// Waits for an event after which the thread looks by itself.
    package func wait() { wake.wait() }

    /// Waits while events are collected.
    package func collect(for pause: DispatchTimeInterval) { _ = hurry.wait(timeout: .now() + pause) }

    /// Takes all events.
    ///
    /// - Parameters:
    ///   - taken: An empty array, which changes places with the queue's, so that neither is ever made anew.
    ///   - goesOn: Whether the thread looks again by itself, by the events that it gets.
    /// - Returns: The number of events that found no place, and whether there will be no others.
    package func take(into taken: inout [Entry], goesOn: ([Entry]) -> Bool) -> (dropped: Int, isClosed: Bool) {
        lock.lock()
        defer { lock.unlock() }
        swap(&entries, &taken)
        isAwake = goesOn(taken)
        defer { (bytes, dropped, isHurried) = (0, 0, false) }
        return (dropped, isClosed)
    }
}
