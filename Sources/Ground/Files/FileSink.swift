package import Foundation
import Glibc

/// A file that is received in pieces, and can be continued after an interruption.
// Proof of `@unchecked Sendable`: used only on the files' queue.
package final class FileSink: @unchecked Sendable {
    /// The space that must remain on the disk. 1 MiB: the databases must be able to record the file's fate.
    private static let reservedBytes: Int64 = 1024 * 1024
    /// The size of a read for the checksum of existing content. 1 MiB.
    private static let readBytes = 1024 * 1024

    package let path: String
    private let descriptor: Descriptor
    private var checksum = Checksum()
    /// The size of the file: existing content and what was appended since.
    package private(set) var size: Int64 = 0

    /// Opens or creates the file, and checks that the disk has room for the rest of it.
    package init(path: String, expectedSize: Int64) throws(SystemError) {
        self.path = path
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
        guard number >= 0 else { throw SystemError("open", on: path) }
        descriptor = Descriptor(number)
        try readExisting(limit: expectedSize)
        var space = statvfs()
        guard fstatvfs(number, &space) == 0 else { throw SystemError("inspect the disk of", on: path) }
        let available = Int64(clamping: UInt64(space.f_bavail) * UInt64(space.f_frsize))
        guard expectedSize - size <= available - Self.reservedBytes else {
            let all = Int64(clamping: UInt64(space.f_blocks) * UInt64(space.f_frsize))
            // A file larger than the whole disk never fits; a smaller one may fit when space is freed.
            let code = expectedSize > all - Self.reservedBytes ? EFBIG : ENOSPC
            throw SystemError("write \(expectedSize) bytes to", on: path, code: code)
        }
    }

    package func append(_ bytes: Data) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retryingInterrupts {
                    write(descriptor.number, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                }
            }
            guard count > 0 else { throw SystemError("write to", on: path) }
            written += count
        }
        size += Int64(bytes.count)
        checksum.update(bytes)
    }

    /// Makes the file durable under a name in another directory if its checksum is right. Otherwise it truncates the
    /// file and returns false.
    package func finish(
        checksum expected: UInt32, as name: String, in directory: DurableDirectory
    ) throws(SystemError) -> Bool {
        guard checksum.value == expected else {
            guard ftruncate(descriptor.number, 0) == 0 else { throw SystemError("empty", on: path) }
            return false
        }
        guard fsync(descriptor.number) == 0 else { throw SystemError("sync", on: path) }
        try directory.move(path, to: name)
        return true
    }

    /// Adds the content from a previous connection to the checksum; a file longer than expected is truncated.
    private func readExisting(limit: Int64) throws(SystemError) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw SystemError("inspect", on: path) }
        if Int64(status.st_size) > limit {
            guard ftruncate(descriptor.number, 0) == 0 else { throw SystemError("empty", on: path) }
            return
        }
        var buffer = Data(count: Self.readBytes)
        while true {
            let offset = size
            let count = buffer.withUnsafeMutableBytes { bytes in
                retryingInterrupts { pread(descriptor.number, bytes.baseAddress, bytes.count, Int(offset)) }
            }
            guard count >= 0 else { throw SystemError("read", on: path) }
            guard count > 0 else { return }
            checksum.update(buffer.prefix(count))
            size += Int64(count)
        }
    }
}
