import Dispatch
import Foundation
import Glibc
import LinkProtocol
import LinkTransport

/// The events that wait for a recorder's thread: those of one device, or of several in their common order.
///
/// An app's threads pass here. Between two messages of an app this code leaves the processor's caches, and each line of them
/// that it fills again delays the next message; hence one lock, which lies with all that it guards in two lines of the cache.
// Proof of `@unchecked Sendable`: everything that changes is accessed only under the lock.
package final class EventQueue: @unchecked Sendable {
    /// The longest queue, in events. 32,768, which take 2 MiB: the busiest exchange needs a tenth of a second for them; when the
    /// disk is slower, events are dropped and counted.
    package static let most = 32_768
    /// The most bytes of contents in the queue. 64 MiB: a thousand of the largest messages.
    package static let mostBytes = 64 * 1024 * 1024
    /// The events after which the thread takes them at once. Half of the queue: more than are collected in an exchange without
    /// pauses, and it is not full while the thread waits for a processor.
    private static let many = most / 2

    private struct State {
        /// First, so that its place is that of the state.
        var lock = pthread_mutex_t()
        var dropped = 0
        /// True while the thread looks by itself.
        var isAwake = false
        /// True from the signal that the thread must not collect any longer until it has taken the events.
        var isHurried = false
        var isClosed = false
        /// The memory of the batch that is being filled.
        var fill = EventFill(events: most)
    }

    /// The bytes of a line of the processor's cache.
    private static let cacheLine = 64

    /// Behind a pointer: an access to a property of a class costs more than the rest of an event.
    private let state: UnsafeMutablePointer<State>
    private var mutex: UnsafeMutablePointer<pthread_mutex_t> {
        UnsafeMutableRawPointer(state).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    private let wake = DispatchSemaphore(value: 0)
    /// Signalled when the thread must not collect any longer.
    private let hurry = DispatchSemaphore(value: 0)

    package init() {
        state = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<State>.stride, alignment: Self.cacheLine
        ).bindMemory(to: State.self, capacity: 1)
        state.initialize(to: State())
        // With default attributes neither initialising nor locking can fail.
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        state.pointee.fill.free()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    // MARK: - From any thread

    /// Adds an event, or counts it when the queue is full.
    ///
    /// - Parameter device: The watch that it is of, or the device that has connected.
    /// - Returns: False if it is not added.
    @discardableResult
    func add(_ slot: consuming EventSlot, _ content: Data?, of device: UUID?, words: String? = nil) -> Bool {
        let size = content?.count ?? 0
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !state.pointee.isClosed else { return false }
        guard state.pointee.fill.count < Self.most, state.pointee.fill.bytes + size <= Self.mostBytes else {
            state.pointee.dropped += 1
            hurryUp()
            return false
        }
        if let device { slot.device = state.pointee.fill.number(of: device) }
        if let content { slot.content = state.pointee.fill.keep(content) }
        if let words {
            slot.number = state.pointee.fill.keep(words)
            slot.parts.insert(.words)
        }
        state.pointee.fill.add(slot, size: size)
        if !state.pointee.isAwake {
            state.pointee.isAwake = true
            wake.signal()
        } else if state.pointee.fill.count == Self.many {
            hurryUp()
        }
        return true
    }

    /// Signals once: each signal more would let the thread look once more in vain.
    private func hurryUp() {
        guard !state.pointee.isHurried else { return }
        state.pointee.isHurried = true
        hurry.signal()
    }

    /// Takes no more events, and lets the thread take the rest at once.
    package func close() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        state.pointee.isClosed = true
        wake.signal()
        hurryUp()
    }

    // MARK: - On the thread

    /// Waits for an event after which the thread looks by itself.
    package func wait() { wake.wait() }

    /// Waits while events are collected: until the monotonic clock shows the next multiple of a period, or until there are many.
    ///
    /// All recorders of a machine then write at the same times. One after the other, those of two devices that exchange messages
    /// would leave the devices one processor for twice as long.
    package func collect(every period: Duration) {
        let length = Int64(period / .nanoseconds(1))
        let rest = length - MonotonicTime.now.nanoseconds % length
        _ = hurry.wait(timeout: .now() + .nanoseconds(Int(rest)))
    }

    /// Takes all events.
    ///
    /// - Parameters:
    ///   - taken: An empty batch.
    ///   - goesOn: Whether the thread looks again by itself, by the number of events that it gets.
    /// - Returns: The number of events that found no place, and whether there will be no others.
    package func take(into taken: EventBatch, goesOn: (Int) -> Bool) -> (dropped: Int, isClosed: Bool) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        swap(&state.pointee.fill, &taken.fill)
        state.pointee.isAwake = goesOn(taken.count)
        defer { (state.pointee.dropped, state.pointee.isHurried) = (0, false) }
        return (state.pointee.dropped, state.pointee.isClosed)
    }
}
