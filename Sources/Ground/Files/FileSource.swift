package import Foundation
import Glibc

/// A file that is read in pieces for sending, and checked for changes.
// Proof of `@unchecked Sendable`: used only on the files' queue.
package final class FileSource: @unchecked Sendable {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The file does not exist, or cannot be read.
        case unreadable(SystemError)
        /// The path is a directory, a socket or the like.
        case notRegular(path: String)
        /// The file was changed after it was queued.
        case changed(path: String)

        package var description: String {
            switch self {
            case .unreadable(let error): "\(error)"
            case .notRegular(let path): "\(path) is not a regular file"
            case .changed(let path): "\(path) was changed or replaced after it was queued"
            }
        }
    }

    /// The attributes that distinguish one state of a file from another.
    package struct Attributes: Equatable, Sendable {
        package let size: Int64
        /// The time of modification in nanoseconds since 1970.
        package let modified: Int64
        package let inode: Int64

        package init(size: Int64, modified: Int64, inode: Int64) {
            self.size = size
            self.modified = modified
            self.inode = inode
        }
    }

    private let path: String
    private let descriptor: Descriptor
    private let attributes: Attributes
    private var checksum = Checksum()
    private var position: Int64 = 0

    /// - Parameter expected: The attributes of the file when it was queued; nil to skip the check.
    package init(path: String, expected: Attributes?) throws(Failure) {
        self.path = path
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .unreadable(SystemError("open", on: path)) }
        descriptor = Descriptor(number)
        attributes = try Self.attributes(number, path)
        guard expected == nil || expected == attributes else { throw .changed(path: path) }
    }

    /// Returns the current attributes of a file.
    package static func attributes(of path: String) throws(Failure) -> Attributes {
        try FileSource(path: path, expected: nil).attributes
    }

    /// Reads a piece, and with the last one returns the checksum of the whole file. Bytes before the first piece are
    /// read for the checksum.
    package func read(offset: Int64, count: Int, isLast: Bool) throws(Failure) -> (bytes: Data, checksum: UInt32?) {
        while position < offset {
            _ = try next(Int(min(Int64(Self.skippedBytes), offset - position)))
        }
        let bytes = try next(count)
        guard isLast else { return (bytes, nil) }
        // The bytes are those that were queued only if the file did not change until the end.
        guard try Self.attributes(descriptor.number, path) == attributes else { throw .changed(path: path) }
        return (bytes, checksum.value)
    }

    /// The size of a read before the first piece. 1 MiB.
    private static let skippedBytes = 1024 * 1024

    private func next(_ count: Int) throws(Failure) -> Data {
        var bytes = Data(count: count)
        var filled = 0
        while filled < count {
            let offset = position + Int64(filled)
            let result = bytes.withUnsafeMutableBytes { buffer in
                retryingInterrupts {
                    pread(descriptor.number, buffer.baseAddress.map { $0 + filled }, count - filled, Int(offset))
                }
            }
            guard result >= 0 else { throw .unreadable(SystemError("read", on: path)) }
            guard result > 0 else { throw .changed(path: path) }
            filled += result
        }
        position += Int64(count)
        checksum.update(bytes)
        return bytes
    }

    private static func attributes(_ number: Int32, _ path: String) throws(Failure) -> Attributes {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .unreadable(SystemError("inspect", on: path)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
        return Attributes(
            size: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
            inode: Int64(bitPattern: UInt64(status.st_ino)))
    }
}
