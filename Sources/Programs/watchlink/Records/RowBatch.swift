import Foundation

/// The rows of an import that one request carries, as they are in the file: only the host decodes them.
struct RowBatch {
    /// The most rows in one request. 500: as many as an answer has.
    private static let rows = 500
    /// The bytes in one request. 256 KiB: even the shortest keys and values are then fewer than a request may have.
    private static let bytes = 256 * 1_024

    private(set) var rows: [Data] = []
    private var bytes = 0

    var isEmpty: Bool { rows.isEmpty }

    /// Returns true if the request has room for a row. An empty one has room for any.
    func fits(_ row: Data) -> Bool { isEmpty || (rows.count < Self.rows && bytes + row.count <= Self.bytes) }

    mutating func append(_ row: Data) {
        rows.append(row)
        bytes += row.count
    }
}
