import Locking

/// A ring buffer of the latest records, for inspecting a running service.
public final class RecentEvents: Sendable {
    /// The number of records that are kept. 256: a few screens.
    public static let capacity = 256

    private struct State {
        var records: [LogRecord] = []
        /// The number of records ever added.
        var count = 0
    }

    private let state = Mutex(State())

    /// Creates an empty buffer.
    public init() {}

    /// Adds a record, and drops the oldest one if the buffer is full.
    public func add(_ record: LogRecord) {
        state.withLock { state in
            if state.records.count < Self.capacity {
                state.records.append(record)
            } else {
                state.records[state.count % Self.capacity] = record
            }
            state.count += 1
        }
    }

    /// Returns the records after the first `count` ever added, the oldest first, and the number of all so far.
    public func after(_ count: Int) -> (records: [LogRecord], count: Int) {
        state.withLock { state in
            let first = max(count, state.count - state.records.count, 0)
            guard first < state.count else { return ([], state.count) }
            return ((first..<state.count).map { state.records[$0 % Self.capacity] }, state.count)
        }
    }
}
