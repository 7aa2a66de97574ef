import CrashPoints
import Foundation
import Glibc
import Locking

/// Writes lines to standard error and to a file of limited size.
public final class LogFile: Sendable {
    /// The file's size at which it becomes the one old file. 16 MiB: about 100,000 lines, a day of a busy test machine.
    public static let maximumBytes = 16 * 1024 * 1024

    private struct Output {
        var file: FileHandle?
        var bytes: UInt64
    }

    private let path: String?
    private let format: LogFormat
    private let maximumBytes: Int
    private let output: Mutex<Output>

    /// - Parameters:
    ///   - path: The file to append to; nil for standard error alone.
    ///   - maximumBytes: The size at which it is put aside.
    /// - Throws: The system's error if the file cannot be opened for writing.
    public init(path: String?, format: LogFormat, maximumBytes: Int = LogFile.maximumBytes) throws {
        self.path = path
        self.format = format
        self.maximumBytes = maximumBytes
        output = Mutex(Output(file: nil, bytes: 0))
        guard let path else { return }
        let opened = try Self.open(path)
        output.withLock { $0 = opened }
    }

    public func write(_ record: LogRecord) {
        let line = Data((format.line(record) + "\n").utf8)
        output.withLock { output in
            Self.put(line, FileHandle.standardError)
            guard let file = output.file, let path else { return }
            Self.put(line, file)
            output.bytes += UInt64(line.count)
            if output.bytes >= UInt64(maximumBytes) { output = Self.rotated(path) ?? output }
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
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return Output(file: file, bytes: try file.seekToEnd())
    }

    /// Puts the full file aside and starts a new one. Nil, and the old file goes on, if the disk does not allow it.
    private static func rotated(_ path: String) -> Output? {
        guard rename(path, path + ".1") == 0 else { return nil }
        CrashPoint.logRotating.pass()
        do {
            return try open(path)
        } catch {
            put(Data("log rotation failed: \(error)\n".utf8), FileHandle.standardError)
            return nil
        }
    }

    /// A log that cannot be written has nowhere to say so: the loss of a line must not end the service.
    private static func put(_ line: Data, _ file: FileHandle) {
        line.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = Glibc.write(file.fileDescriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
