import Locking

/// The latest records, for people who look at a running service.
public final class RecentEvents: Sendable {
    /// Records that are kept. 256: some screens full.
    public static let capacity = 256

    private struct State {
        var records: [LogRecord] = []
        /// How many there ever were.
        var count = 0
    }

    private let state = Mutex(State())

    public init() {}

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

    /// The records after the first so many, the oldest first, with the number of all so far.
    public func after(_ count: Int) -> (records: [LogRecord], count: Int) {
        state.withLock { state in
            let first = max(count, state.count - state.records.count, 0)
            guard first < state.count else { return ([], state.count) }
            return ((first..<state.count).map { state.records[$0 % Self.capacity] }, state.count)
        }
    }
}
