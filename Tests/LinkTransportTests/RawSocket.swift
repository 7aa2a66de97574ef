import Glibc
import Testing

/// A peer that speaks in bytes: one end of a pair of sockets. What it waits for fails if it does not come.
final class RawSocket: Sendable {
    /// The seconds without a byte after which a read fails, which only a broken test reaches.
    private static let patience = 20

    /// The other end, which does not block. Whoever takes it closes it.
    let other: Int32
    private let own: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        try #require(result == 0)
        other = ends[0]
        own = ends[1]
        let isSet = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        try #require(isSet == 0)
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    func say(_ bytes: [UInt8]) {
        let count = bytes.withUnsafeBytes { send(own, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        #expect(count == bytes.count)
    }

    /// Reads so many bytes, or fewer if the stream ends before.
    func hear(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var heard = 0
        while heard < count {
            let more = bytes[heard...].withUnsafeMutableBytes { read(own, $0.baseAddress, $0.count) }
            try #require(more >= 0, "nothing came")
            if more == 0 { break }
            heard += more
        }
        return Array(bytes.prefix(heard))
    }

    /// Ends what this end says; it still listens.
    func finish() { _ = shutdown(own, Int32(SHUT_WR)) }

    /// Ends the stream both ways.
    func leave() { _ = shutdown(own, Int32(SHUT_RDWR)) }

    /// The bytes sent to this end and not read yet, up to 64.
    var unheard: Int { Self.waiting(own) }

    /// The bytes sent to the other end and not read yet, up to 64.
    var unread: Int { Self.waiting(other) }

    private static func waiting(_ descriptor: Int32) -> Int {
        var room = [UInt8](repeating: 0, count: 64)
        return max(0, recv(descriptor, &room, room.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)))
    }

    deinit { _ = close(own) }
}
