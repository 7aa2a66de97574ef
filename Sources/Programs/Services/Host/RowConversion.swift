import Dispatch
import Foundation
import Locking

/// The conversion of the rows of a page on all processors: it takes most of the time of an export or import.
enum RowConversion {
    /// The fewest rows for a processor. 64: about a millisecond, beside which the start of a thread is nothing.
    static let leastRows = 64

    /// Converts rows, and returns the results in their order.
    ///
    /// - Parameter convert: Converts some of the rows; called on several threads at the same time.
    /// - Throws: Of several errors the one that comes first in the order of the rows.
    static func all<Row: Sendable, Converted: Sendable>(
        _ rows: [Row], _ convert: @Sendable (ArraySlice<Row>) throws -> [Converted]
    ) throws -> [Converted] {
        let parts = min(ProcessInfo.processInfo.activeProcessorCount, rows.count / leastRows)
        guard parts > 1 else { return try convert(rows[...]) }
        let results = Mutex<[Int: Result<[Converted], any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let result = Result { try convert(rows[rows.count * part / parts..<rows.count * (part + 1) / parts]) }
            results.withLock { $0[part] = result }
        }
        let found = results.withLock { $0 }
        return try (0..<parts).flatMap { try found[$0]?.get() ?? [] }
    }
}
