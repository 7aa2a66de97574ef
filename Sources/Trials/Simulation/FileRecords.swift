import Foundation
import LinkProtocol

/// The files of a device: their sizes alone.
struct FileRecords: Sendable {
    /// What came of files so far, in bytes.
    var parts = NameTable<Int64>()
    /// Whole files, by their paths.
    var inbox: Set<String> = []

    /// Removes what a crash left in the inbox without a record.
    mutating func clean(keeping recorded: Set<String>) { inbox.formIntersection(recorded) }

    /// A piece that does not follow leaves a file that is not what was sent.
    mutating func append(_ chunk: FilePackage.Chunk) {
        let size = parts[chunk.transfer] ?? 0
        parts[chunk.transfer] = chunk.offset == size ? size + Int64(chunk.bytes.count) : -1
    }

    /// Appends the last piece, and puts the file into the inbox if it is whole.
    mutating func finish(_ chunk: FilePackage.Chunk, size: Int64, path: String) -> Bool {
        append(chunk)
        defer { parts[chunk.transfer] = nil }
        guard parts[chunk.transfer] == size else { return false }
        inbox.insert(path)
        return true
    }
}
