import Files
import Foundation
import Glibc

/// The open file of a ``DatabaseMark``: opening it for each commit would cost as much as a third of the commit.
final class MarkFile: Sendable {
    private let descriptor: Descriptor
    private let path: String
    private let database: String

    /// Opens the file; nil if there is none.
    init?(at path: String, of database: String) throws(DatabaseError) {
        let number = open(path, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else {
            guard errno != ENOENT else { return nil }
            throw DatabaseError(SystemError("open", on: path), path: database)
        }
        descriptor = Descriptor(number)
        (self.path, self.database) = (path, database)
    }

    /// True if the file has no name any more: it was deleted, or replaced as a mark is by a new one.
    var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor.number, &status) != 0 || status.st_nlink == 0
    }

    /// Overwrites a part of the file.
    func write(_ text: String, at place: Int) throws(DatabaseError) {
        var text = text
        let isWritten = text.withUTF8 { bytes in
            retryingInterrupts { pwrite(descriptor.number, bytes.baseAddress, bytes.count, place) } == bytes.count
        }
        guard isWritten else { throw DatabaseError(SystemError("write to", on: path), path: database) }
    }
}
