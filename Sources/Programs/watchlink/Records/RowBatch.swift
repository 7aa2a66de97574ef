import Foundation

/// The rows of an import that one request carries, as they are in the file: only the host decodes them.
struct RowBatch {
    /// The most rows in one request. 2,000: the host stores them in one commit, whose wait for the disk is then small beside
    /// them; an error names the rows of a request, among which a person still finds the one.
    private static let rows = 2_000
    /// The bytes in one request. 1 MiB: what a commit of so many rows of the usual size has.
    private static let bytes = 1_024 * 1_024
    /// The most marks before a key or a value in one request. 200,000: a request may have 250,000 keys and values.
    private static let marks = 200_000

    private(set) var rows: [Data] = []
    private var bytes = 0
    private var marks = 0

    var isEmpty: Bool { rows.isEmpty }

    /// Returns true if the request has room for a row. An empty one has room for any.
    func fits(_ row: Data) -> Bool {
        isEmpty
            || (rows.count < Self.rows && bytes + row.count <= Self.bytes
                && marks + Self.countMarks(row) <= Self.marks)
    }

    mutating func append(_ row: Data) {
        rows.append(row)
        bytes += row.count
        marks += Self.countMarks(row)
    }

    /// Counts the bytes before a key or a value, also those in texts: more than there are.
    private static func countMarks(_ row: Data) -> Int {
        row.withUnsafeBytes { bytes in
            var count = 0
            for byte in bytes {
                switch byte {
                case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "["): count += 1
                default: break
                }
            }
            return count
        }
    }
}
