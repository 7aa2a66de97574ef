/// Several logs as one: their events in the order of their times.
package struct LogMerge {
    private var logs: [(reader: LogReader, head: TimelineEvent)] = []
    private let readers: [LogReader]

    package init(_ readers: [LogReader]) throws {
        self.readers = readers
        for reader in readers {
            if let head = try reader.next() { logs.append((reader, head)) }
        }
    }

    /// How many lines have been read.
    package var lines: Int { readers.reduce(0) { $0 + $1.lines } }

    package mutating func next() throws -> TimelineEvent? {
        // There are a few logs at most: the earliest is found by looking at each.
        guard let first = logs.indices.min(by: { logs[$0].head.time < logs[$1].head.time }) else { return nil }
        let event = logs[first].head
        if let head = try logs[first].reader.next() {
            logs[first].head = head
        } else {
            logs.remove(at: first)
        }
        return event
    }
}
