import Files
import Foundation
import Glibc
import LinkTransport
import SwiftOverlayShims
import Testing

/// A client that sends all of its requests, ends its side of the connection, and then reads.
struct HalfClosedClient: ~Copyable {
    private let socket: Descriptor

    /// Connects, sends the bytes and ends the sending side.
    init(path: String, sending bytes: [UInt8]) throws {
        socket = try UnixSocket.connect(to: path, blocking: true)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket.number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        #expect(send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        #expect(shutdown(socket.number, Int32(SHUT_WR)) == 0)
    }

    /// Reads the answers until the server ends the connection.
    func answers() -> [Substring] {
        var answers: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var count = read(socket.number, &chunk, chunk.count)
        while count > 0 {
            answers += chunk[..<count]
            count = read(socket.number, &chunk, chunk.count)
        }
        #expect(count == 0, "the connection does not end: \(errno)")
        return String(decoding: answers, as: UTF8.self).split(separator: "\n")
    }
}
