import CrashPoints
import Foundation
import Glibc
import Locking

/// A log file of limited size, rotated when it is full.
public final class LogFile: Sendable {
    /// The size in bytes at which the file is rotated. 16 MiB: about 100,000 lines, a day of a busy test machine.
    public static let maximumBytes = 16 * 1024 * 1024
    /// The number of full files that are kept. 3: 64 MiB with the current one.
    public static let keptFiles = 3

    private struct Output {
        var descriptor: Int32
        var bytes: Int
    }

    /// The path of the current file.
    public let path: String
    private let maximumBytes: Int
    private let keptFiles: Int
    private let output: Mutex<Output>

    /// Opens the file, or creates it with mode 0600.
    ///
    /// - Parameters:
    ///   - path: The file to append to; the most recent full file is `path.1`.
    ///   - maximumBytes: The size at which the file is rotated.
    ///   - keptFiles: The number of full files that are kept.
    /// - Throws: The system's error if the file cannot be opened for writing.
    public init(path: String, maximumBytes: Int = LogFile.maximumBytes, keptFiles: Int = LogFile.keptFiles) throws {
        self.path = path
        self.maximumBytes = maximumBytes
        self.keptFiles = keptFiles
        output = Mutex(try Self.open(path))
    }

    deinit { _ = output.withLock { close($0.descriptor) } }

    /// Appends a line, to which a newline is added, and rotates the file when it is full. Errors are ignored.
    public func write(_ line: String) {
        output.withLock { output in
            output.bytes += Self.put(line, output.descriptor)
            if output.bytes >= maximumBytes { rotate(&output) }
        }
    }

    /// Reopens the path after another program renamed or removed the file. Throws the system's error, and keeps the
    /// previous file.
    public func reopen() throws {
        let opened = try Self.open(path)
        output.withLock { output in
            close(output.descriptor)
            output = opened
        }
    }

    private static func open(_ path: String) throws -> Output {
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw NSError(
                domain: NSPOSIXErrorDomain, code: Int(errno),
                userInfo: [
                    NSLocalizedDescriptionKey: "cannot write the log file \(path): \(String(cString: strerror(errno)))"
                ])
        }
        return Output(descriptor: descriptor, bytes: Int(lseek(descriptor, 0, SEEK_END)))
    }

    /// Renames the full file and starts a new one. The previous file stays in use if the disk does not allow it.
    private func rotate(_ output: inout Output) {
        for number in stride(from: keptFiles - 1, to: 0, by: -1) {
            rename("\(path).\(number)", "\(path).\(number + 1)")
        }
        guard rename(path, path + ".1") == 0 else { return }
        CrashPoint.logRotating.pass()
        do {
            let opened = try Self.open(path)
            close(output.descriptor)
            output = opened
        } catch {
            Self.put("log rotation failed: \(error)", STDERR_FILENO)
        }
    }

    /// Writes a line, and a newline after it. Errors are ignored: a log that cannot be written has nowhere to report it, and a
    /// lost line must not end the service.
    ///
    /// - Returns: The number of bytes that the line has.
    @discardableResult
    public static func put(_ line: consuming String, _ descriptor: Int32) -> Int {
        line += "\n"
        return line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    break
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return bytes.count
        }
    }
}
