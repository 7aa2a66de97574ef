import CLinux
import Files
import Glibc
import LinkProtocol
import LinkTransport

/// The fan-in reference: the same bytes on the same number of sockets, with epoll and nothing else.
struct RawFanIn: ~Copyable {
    private final class Connection {
        let descriptor: Descriptor
        /// The number of bytes of an incomplete message.
        var rest = 0
        var start = MonotonicTime.now

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    /// The limit on events per wait, the same as the host's.
    private static let batch = 256
    /// Far more than a message.
    private static let bufferBytes = 64 * 1_024
    /// The token of the listener, which no connection has.
    private static let listenerToken = UInt64.max

    private let poll: Descriptor
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 16)
    private var events = [epoll_event](repeating: epoll_event(), count: batch)
    private var connections: [Connection?] = []

    private init() throws {
        poll = try Descriptor(made: epoll_create1(0), "an epoll descriptor")
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { buffer.deallocate() }

    /// Answers every request of the given size with a reply of the given size.
    static func serve(_ options: PeerOptions) throws -> Never {
        var server = try RawFanIn()
        let listener = try UnixSocket.listen(at: options.socket, mode: 0o600)
        try server.watch(listener.number, listenerToken)
        Ready.say()
        while true {
            for token in server.ready() {
                if token == listenerToken {
                    while let descriptor = try UnixSocket.accept(listener) { try server.add(descriptor) }
                } else {
                    let requests = server.receive(on: token, bytesEach: options.request) ?? 0
                    server.send(requests * options.reply, on: token)
                }
            }
        }
    }

    /// Keeps one request in flight on each connection.
    static func drive(_ options: PeerOptions) throws -> Outcome {
        var driver = try RawFanIn()
        for _ in 0..<options.connections {
            try driver.add(try UnixSocket.connect(to: options.socket, blocking: true))
        }
        var pace = Pace(seconds: options.seconds)
        for place in driver.connections.indices { driver.send(options.request, on: UInt64(place)) }
        while true {
            for token in driver.ready() {
                guard let replies = driver.receive(on: token, bytesEach: options.reply) else {
                    throw BenchError("the reference server disconnected")
                }
                guard replies > 0, let connection = driver.connections[Int(token)] else { continue }
                guard pace.received(sentAt: connection.start) else { return pace.outcome }
                driver.send(options.request, on: token)
            }
        }
    }

    private mutating func add(_ descriptor: consuming Descriptor) throws {
        try watch(descriptor.number, UInt64(connections.count))
        connections.append(Connection(descriptor))
    }

    private func watch(_ descriptor: Int32, _ token: UInt64) throws {
        var event = epoll_event()
        event.events = UInt32(EPOLLIN.rawValue)
        event.data.u64 = token
        guard epoll_ctl(poll.number, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw SystemError("watch", on: "a socket")
        }
    }

    /// Waits for readable connections, and returns their tokens.
    private mutating func ready() -> [UInt64] {
        let count = epoll_wait(poll.number, &events, Int32(Self.batch), -1)
        return events.prefix(max(0, Int(count))).map(\.data.u64)
    }

    /// Reads from a connection and returns the number of complete messages; nil when the connection has ended.
    private mutating func receive(on token: UInt64, bytesEach: Int) -> Int? {
        guard let connection = connections[Int(token)] else { return nil }
        let count = read(connection.descriptor.number, buffer.baseAddress, buffer.count)
        guard count > 0 else {
            connections[Int(token)] = nil
            return nil
        }
        let (messages, rest) = (connection.rest + count).quotientAndRemainder(dividingBy: bytesEach)
        connection.rest = rest
        return messages
    }

    /// Sends a message, which always fits into the socket's buffer.
    private func send(_ bytes: Int, on token: UInt64) {
        guard bytes > 0, let connection = connections[Int(token)] else { return }
        connection.start = .now
        _ = Glibc.send(connection.descriptor.number, buffer.baseAddress, bytes, Int32(MSG_NOSIGNAL))
    }
}
