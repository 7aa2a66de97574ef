/// Several logs merged into one, ordered by time.
package struct LogMerge {
    private var logs: [(reader: LogReader, head: TimelineEvent)] = []
    private let readers: [LogReader]

    package init(_ readers: [LogReader]) throws {
        self.readers = readers
        for reader in readers {
            if let head = try reader.next() { logs.append((reader, head)) }
        }
    }

    /// The number of lines read so far.
    package var lines: Int { readers.reduce(0) { $0 + $1.lines } }

    package mutating func next() throws -> TimelineEvent? {
        // A linear search suffices for a few logs.
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
