import Dispatch
import Locking

/// The events that wake a run: ended programs and signals.
final class RunMailbox: Sendable {
    enum Event: Sendable {
        case ended(String)
        case signal
    }

    private let events = Mutex<[Event]>([])
    private let arrival = DispatchSemaphore(value: 0)

    func post(_ event: Event) {
        events.withLock { $0.append(event) }
        arrival.signal()
    }

    /// Returns the next event; nil after a time-out.
    func next(within limit: DispatchTimeInterval) -> Event? {
        guard arrival.wait(timeout: .now() + limit) == .success else { return nil }
        return events.withLock { $0.removeFirst() }
    }
}
