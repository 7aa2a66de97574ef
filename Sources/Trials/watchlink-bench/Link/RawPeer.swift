import Files
import Foundation
import Glibc
import LinkProtocol
import LinkTransport

/// The reference: the same bytes on the same kind of socket, with blocking calls and nothing else.
enum RawPeer {
    /// The number of bytes read at once when many requests are in flight.
    private static let bufferBytes = 1 << 20

    /// Answers every request of the given size with a reply of the given size, after handling all requests of one read.
    static func serve(
        _ options: PeerOptions, handling handle: (_ requests: Int) throws -> Void = { _ in }
    ) throws -> Never {
        let listener = try UnixSocket.listen(at: options.socket, mode: 0o600)
        _ = fcntl(listener.number, F_SETFL, 0)
        Ready.say()
        while true {
            guard let connection = try UnixSocket.accept(listener) else { continue }
            _ = fcntl(connection.number, F_SETFL, 0)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 16)
            let replies = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 16)
            var rest = 0
            while case let count = read(connection.number, buffer.baseAddress, buffer.count), count > 0 {
                rest += count
                let requests = rest / options.request
                rest %= options.request
                try handle(requests)
                guard writeAll(connection.number, replies.baseAddress, requests * options.reply) else { break }
            }
        }
    }

    /// Keeps the given number of requests in flight.
    static func drive(_ options: PeerOptions) throws -> Outcome {
        let connection = try UnixSocket.connect(to: options.socket, blocking: true)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 16)
        var starts = Deque<MonotonicTime>()
        var pace = Pace(seconds: options.seconds)
        var rest = 0
        func send(_ number: Int) throws {
            let now = MonotonicTime.now
            for _ in 0..<number { starts.append(now) }
            guard writeAll(connection.number, buffer.baseAddress, number * options.request) else {
                throw SystemError("write to", on: options.socket)
            }
        }
        try send(options.outstanding)
        while case let count = read(connection.number, buffer.baseAddress, buffer.count), count > 0 {
            rest += count
            let replies = rest / options.reply
            rest %= options.reply
            for _ in 0..<replies {
                guard let start = starts.first else { break }
                starts.removeFirst()
                guard pace.received(sentAt: start) else { return pace.outcome }
            }
            try send(replies)
        }
        throw BenchError("the reference server disconnected")
    }

    private static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ total: Int) -> Bool {
        var sent = 0
        while sent < total {
            let count = write(descriptor, bytes.map { $0 + sent }, min(total - sent, bufferBytes))
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
