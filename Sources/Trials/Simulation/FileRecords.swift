import Foundation
import LinkProtocol

/// The files of a device, of which only the sizes are simulated.
struct FileRecords: Sendable {
    /// The number of bytes received so far, by transfer.
    var parts = NameTable<Int64>()
    /// The paths of complete files.
    var inbox: Set<String> = []

    /// Removes files that a crash left in the inbox without a record.
    mutating func clean(keeping recorded: Set<String>) { inbox.formIntersection(recorded) }

    /// Appends a piece; a gap makes the file invalid (−1).
    mutating func append(_ chunk: FilePackage.Chunk) {
        let size = parts[chunk.transfer] ?? 0
        parts[chunk.transfer] = chunk.offset == size ? size + Int64(chunk.bytes.count) : -1
    }

    /// Appends the last piece, and moves the file to the inbox if it is complete.
    mutating func finish(_ chunk: FilePackage.Chunk, size: Int64, path: String) -> Bool {
        append(chunk)
        defer { parts[chunk.transfer] = nil }
        guard parts[chunk.transfer] == size else { return false }
        inbox.insert(path)
        return true
    }
}
