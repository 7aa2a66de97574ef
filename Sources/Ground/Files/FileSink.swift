package import Foundation
import Glibc

/// A file that is received piece by piece, and may be gone on with after a cut.
// Proof of `@unchecked Sendable`: used on the files' queue alone.
package final class FileSink: @unchecked Sendable {
    /// Space that a file must leave on its disk. 1 MiB: the databases must be able to record what became of it.
    private static let reservedBytes: Int64 = 1024 * 1024
    /// Bytes read at once for the checksum of what is there already. 1 MiB.
    private static let readBytes = 1024 * 1024

    package let path: String
    private let descriptor: Descriptor
    private var checksum = Checksum()
    /// What is there already, and was written since.
    package private(set) var size: Int64 = 0

    /// Opens or creates the file, and checks that there is room for the rest of it.
    package init(path: String, expectedSize: Int64) throws(SystemError) {
        self.path = path
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
        guard number >= 0 else { throw SystemError("open", on: path) }
        descriptor = Descriptor(number)
        try readExisting(limit: expectedSize)
        var space = statvfs()
        guard fstatvfs(number, &space) == 0 else { throw SystemError("look at the disk of", on: path) }
        let available = Int64(clamping: UInt64(space.f_bavail) * UInt64(space.f_frsize))
        guard expectedSize - size <= available - Self.reservedBytes else {
            let all = Int64(clamping: UInt64(space.f_blocks) * UInt64(space.f_frsize))
            // What is larger than the whole disk never fits; the other may fit when there is room again.
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

    /// Makes the file durable under a name in another directory, if its checksum is right. False, and the file is emptied, if it
    /// is not.
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

    /// What a former connection left counts for the checksum; what is longer than the file can be is dropped.
    private func readExisting(limit: Int64) throws(SystemError) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw SystemError("look at", on: path) }
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
