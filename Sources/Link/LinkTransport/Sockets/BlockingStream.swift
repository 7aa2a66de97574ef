import CLinux
public import Files
public import Foundation
import Glibc

/// A blocking connection for programs that only wait for replies, such as the command line.
public final class BlockingStream {
    /// The longest line accepted. 64 MiB: a page of exported rows of the largest size.
    private static let lineBytes = 64 * 1024 * 1024

    private let descriptor: Descriptor
    private let path: String
    private var lines = LineBuffer(maximumBytes: lineBytes)

    /// Connects to a socket.
    ///
    /// - Parameter timeout: The time-out of a read or write that makes no progress; nil for none. The error is `EAGAIN`
    ///   then, and a read may be retried.
    /// - Throws: `SystemError` if the connection fails.
    public init(connectingTo path: String, timeout: Duration?) throws(SystemError) {
        self.path = path
        descriptor = try UnixSocket.connect(to: path, blocking: true)
        if let timeout {
            let (seconds, attoseconds) = timeout.components
            var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(descriptor.number, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
        }
    }

    /// Returns the process at the other end; for a socket created by a service manager, that manager.
    package func peer() throws(SystemError) -> Int32 { try PeerCredentials(of: descriptor).process }

    /// Writes all data, waiting for room if necessary.
    ///
    /// - Throws: `SystemError`; its code is `EAGAIN` after a time-out.
    public func write(_ data: Data) throws(SystemError) {
        var sent = 0
        while sent < data.count {
            let count = data.withUnsafeBytes { bytes in
                retryingInterrupts {
                    send(
                        descriptor.number, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
            }
            guard count > 0 else { throw SystemError("write to", on: path) }
            sent += count
        }
    }

    /// Returns the next line without its terminator; nil after the other side has closed.
    ///
    /// - Throws: `SystemError`; its code is `EAGAIN` after a time-out and `EMSGSIZE` for a line of more than 64 MiB.
    public func readLine() throws(SystemError) -> Data? {
        while true {
            do throws(LineBuffer.LineTooLong) {
                if let line = try lines.nextLine() { return line }
            } catch {
                throw SystemError("read from", on: path, code: EMSGSIZE)
            }
            guard try readMore() else { return nil }
        }
    }

    private func readMore() throws(SystemError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let count = retryingInterrupts { read(descriptor.number, &chunk, chunk.count) }
        guard count >= 0 else { throw SystemError("read from", on: path) }
        chunk.withUnsafeBytes { lines.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        return count > 0
    }
}
