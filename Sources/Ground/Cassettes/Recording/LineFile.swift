import Files
import Foundation
import Glibc

/// A new file to which lines are added.
final class LineFile {
    private let path: String
    private let descriptor: Descriptor
    private var length = 0

    /// Opens a file.
    ///
    /// - Parameter flags: By default, those of a file that must not exist yet.
    init(_ path: String, flags: Int32 = O_CREAT | O_EXCL | O_APPEND) throws(SystemError) {
        self.path = path
        let number = open(path, O_WRONLY | O_CLOEXEC | flags, 0o600)
        guard number >= 0 else { throw SystemError("create", on: path) }
        descriptor = Descriptor(number)
    }

    /// Adds lines: all of them, or none.
    func add(_ lines: [String]) throws(SystemError) {
        guard !lines.isEmpty else { return }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.reduce(0) { $0 + $1.utf8.count + 1 })
        for line in lines {
            bytes += line.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retryingInterrupts {
                    write(descriptor.number, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                }
            }
            guard count > 0 else {
                let error = SystemError("write to", on: path)
                // If this fails as well, the reader finds a line that does not end.
                _ = ftruncate(descriptor.number, off_t(length))
                throw error
            }
            written += count
        }
        length += written
    }
}
