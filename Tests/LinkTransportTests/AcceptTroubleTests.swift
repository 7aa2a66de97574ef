import EventLog
import Files
import Glibc
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Listeners that cannot accept")
struct AcceptTroubleTests {
    /// A listener on a loop of its own.
    private final class Server: Sendable {
        let loop: EventLoop
        let listener: SocketListener
        let path: String
        let log = Collector<LogRecord>()
        let accepted = Collector<Bool>()
        /// What is done on the loop whenever accepting has failed, before the listener goes on.
        let atFailure = Collector<@Sendable () -> Void>()

        init(_ path: String) throws {
            self.path = path
            loop = try EventLoop(name: "test")
            let log = log
            let accepted = accepted
            let atFailure = atFailure
            let logger = Logger(service: "test", minimumLevel: .debug) { record in
                log.add(record)
                guard record.event == .acceptFailed else { return }
                for task in atFailure.all { task() }
            }
            listener = try SocketListener(loop: loop, path: path, access: .owner, logger: logger) {
                (descriptor: consuming Descriptor) in accepted.add(descriptor.number >= 0)
            }
        }

        /// Starts to accept.
        ///
        /// - Returns: The number of the listening socket, the only one that is bound to the path so far.
        func start() throws -> Int32 {
            try loop.perform { [listener] in try listener.start() }
            let numbers: Range<Int32> = 0..<65_536
            let number = numbers.first { BrokenSocket.path(of: $0) == path }
            return try #require(number)
        }

        deinit { loop.stopLater() }
    }

    /// A listening socket whose number stands for one that does not listen, until it is mended.
    private final class BrokenSocket: Sendable {
        private let number: Int32
        private let listening: Int32

        init(_ number: Int32) throws {
            self.number = number
            listening = dup(number)
            let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let result = dup2(other, number)
            _ = close(other)
            try #require(result == number)
        }

        func mend() { _ = dup2(listening, number) }

        /// The path to which a Unix socket is bound; nil if the number is none of such a socket.
        static func path(of number: Int32) -> String? {
            var address = sockaddr_un()
            var length = socklen_t(MemoryLayout<sockaddr_un>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
            }
            guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
            return withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }

        deinit { _ = close(listening) }
    }

    /// Lives as long as the suite's instance, which each test has for itself.
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("A listener that cannot accept rests, then accepts whoever waits; each trouble and its end is logged once")
    func resumed() throws {
        let server = try Server(scratch.path("link.sock"))
        let number = try server.start()
        for round in 1...2 {
            let socket = try BrokenSocket(number)
            server.atFailure.add { socket.mend() }
            let client = try BlockingStream(connectingTo: server.path, timeout: nil)
            server.accepted.expect { $0.count == round }
            server.log.expect { $0.count >= 2 * round }
            withExtendedLifetime(client) {}
        }
        let events = server.log.all.map(\.event)
        #expect(events == [.acceptFailed, .acceptResumed, .acceptFailed, .acceptResumed])
        let fields = server.log.all.prefix(2).map(\.fields)
        let error = SystemError("accept on", on: "the listening socket", code: EINVAL)
        let expected: [[LogField]] = [[.path(server.path), .error(error), .delay(1)], [.path(server.path)]]
        #expect(fields == expected)
    }

    @Test("A listener that is stopped while it rests does not go on after it")
    func stopped() throws {
        let server = try Server(scratch.path("link.sock"))
        let number = try server.start()
        let socket = try BrokenSocket(number)
        let rested = Collector<Bool>()
        let (loop, listener) = (server.loop, server.listener)
        server.atFailure.add {
            // In the turn of the failure, so that the rest cannot be over.
            loop.execute {
                listener.stop()
                _ = loop.schedule(at: .now + .seconds(1)) { rested.add(true) }
            }
        }
        let client = try BlockingStream(connectingTo: server.path, timeout: nil)
        rested.expect { !$0.isEmpty }
        // The socket that stands for the listener's can neither accept nor be told to rest, in the stop again.
        let events = server.log.all.map(\.event)
        #expect(events == [.acceptFailed, .acceptFailed, .acceptFailed])
        let accepted = server.accepted.all
        #expect(accepted == [])
        withExtendedLifetime((client, socket)) {}
    }
}
