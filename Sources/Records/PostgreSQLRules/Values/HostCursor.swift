package import RecordStorage

/// A reader's position in a store of several hosts: the last sequence number read of each.
///
/// There is no order over all hosts, and none is needed to miss nothing: each host's records become visible in the
/// order of their numbers.
package struct HostCursor: Equatable, Sendable {
    /// The last number read, by host.
    package private(set) var sequences: [Int32: Int64]

    /// The position before the first record.
    package init() { sequences = [:] }

    /// Reads a cursor's text: “1:1200,7:45”, the hosts in ascending order.
    package init(_ cursor: RecordCursor) throws(StoreError) {
        sequences = [:]
        guard cursor != .start else { return }
        var last: Int32 = 0
        for part in cursor.rawValue.split(separator: ",", omittingEmptySubsequences: false) {
            let numbers = part.split(separator: ":", omittingEmptySubsequences: false)
            guard numbers.count == 2, let host = Int32(numbers[0]), let sequence = Int64(numbers[1]), host > last,
                sequence >= 0, "\(host):\(sequence)" == part
            else {
                throw StoreError(
                    .refused,
                    "the cursor “\(cursor.rawValue.prefix(100))” is not one of a shared store, such as “1:1200,7:45”; continue with the cursor of the last record, or without one from the start"
                )
            }
            sequences[host] = sequence
            last = host
        }
    }

    /// Returns the last number read of a host.
    package func sequence(of host: Int32) -> Int64 { sequences[host] ?? 0 }

    /// Moves on to a record.
    package mutating func advance(_ host: Int32, to sequence: Int64) { sequences[host] = sequence }

    /// The text for requests.
    package var cursor: RecordCursor {
        RecordCursor(
            rawValue: sequences.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ","))
    }
}
