import Foundation

/// The record of the faults that a run gets to: a file that the run's processes share (see `planted.c`).
struct ReachedFaults {
    private let file: URL
    /// Bytes of the record, as in `planted.c`.
    private static let capacity = 1 << 16

    init(_ scratch: URL) { file = scratch.appending(path: "reached-\(UUID().uuidString)") }

    /// Begins the record, and returns the variables by which a run finds it.
    func environment() throws -> [String: String] {
        try Data(count: Self.capacity).write(to: file)
        return ["PLANTED_REACHED": file.path]
    }

    func numbers() throws -> Set<Int> {
        Set(try Data(contentsOf: file).enumerated().filter { $0.element != 0 }.map(\.offset))
    }

    func remove() { unlink(file.path) }
}
