import Dispatch
import EventLog
import Files
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Socket listeners")
struct SocketListenerTests {
    /// A listener on a loop of its own.
    private final class Server: Sendable {
        let loop: EventLoop
        let listener: SocketListener
        let log = Collector<LogRecord>()
        private let accepted = Collector<Bool>()
        private let path: String

        init(_ path: String) throws {
            self.path = path
            loop = try EventLoop(name: "test")
            let accepted = accepted
            listener = try SocketListener(loop: loop, path: path, access: .owner, logger: collectingLogger(log)) {
                (descriptor: consuming Descriptor) in accepted.add(descriptor.number >= 0)
            }
        }

        func start() throws { try loop.perform { [listener] in try listener.start() } }

        func stop() throws { try loop.perform { [listener] in listener.stop() } }

        /// Connects to the listener's path, and waits until it accepts.
        func connect() throws {
            let count = accepted.all.count
            let client = try BlockingStream(connectingTo: path, timeout: nil)
            accepted.expect { $0.count == count + 1 }
            withExtendedLifetime(client) {}
        }

        /// Waits until an event has been logged so many times.
        func expect(_ event: LogEvent, _ times: Int = 1) {
            log.expect { $0.filter { $0.event == event }.count >= times }
        }

        deinit { loop.stopLater() }
    }

    /// Lives as long as the suite's instance, which each test has for itself.
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func directory(_ name: String) throws -> String {
        let path = scratch.path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    @Test(
        "A removed socket is renewed, whatever its directory is called",
        arguments: ["plain", "with space", "100%", "a%20b", "Grüße"])
    func renewed(_ name: String) throws {
        let path = try directory(name) + "/link.sock"
        let server = try Server(path)
        try server.start()
        try server.connect()
        try FileManager.default.removeItem(atPath: path)
        server.expect(.socketRenewed)
        try server.connect()
        let events = server.log.all.map(\.event)
        #expect(events == [.socketRenewed])
        let fields = server.log.all.map(\.fields)
        #expect(fields == [[.path(path)]])
    }

    @Test("A removed lock is renewed with its socket")
    func lock() throws {
        let path = scratch.path("link.sock")
        let server = try Server(path)
        try server.start()
        try FileManager.default.removeItem(atPath: path + ".lock")
        server.expect(.socketRenewed)
        try server.connect()
        #expect(throws: SocketFile.ClaimError.inUse(path: path)) { try SocketFile(claiming: path, mode: 0o600) }
    }

    @Test("A socket that was removed before the start is renewed at the start")
    func removedBefore() throws {
        let path = scratch.path("link.sock")
        let server = try Server(path)
        try FileManager.default.removeItem(atPath: path)
        try server.start()
        let events = server.log.all.map(\.event)
        #expect(events == [.socketRenewed])
        try server.connect()
    }

    @Test("The socket of a dead process is replaced, which is logged")
    func stale() throws {
        let path = scratch.path("link.sock")
        _ = try SocketFile(claiming: path, mode: 0o600)
        let server = try Server(path)
        try server.start()
        try server.connect()
        let events = server.log.all.map(\.event)
        #expect(events == [.staleSocketReplaced])
        let fields = server.log.all.map(\.fields)
        #expect(fields == [[.path(path)]])
    }

    @Test("A path that another server has taken is left to it until it goes; each loss is logged once")
    func taken() throws {
        let path = scratch.path("link.sock")
        let server = try Server(path)
        try server.start()
        for round in 1...2 {
            let foreign = scratch.path("foreign")
            let other = try UnixSocket.listen(at: foreign, mode: 0o600)
            let isMoved = rename(foreign, path) == 0
            #expect(isMoved)
            // Further changes in the directory find the same reason.
            for name in ["a", "b"] { _ = try scratch.write(name, "") }
            server.expect(.socketLost, round)
            try server.loop.perform {}
            try FileManager.default.removeItem(atPath: path)
            server.expect(.socketRenewed, round)
            try server.connect()
            #expect(other.number >= 0)
        }
        let events = server.log.all.map(\.event)
        #expect(events == [.socketLost, .socketRenewed, .socketLost, .socketRenewed])
        let lost = try #require(server.log.all.first)
        #expect(
            lost.fields == [.path(path), .error(SocketFile.ClaimError.inUse(path: path)), .delay(1)])
    }

    @Test("A socket whose directory is gone is tried again until it can be renewed, and is watched then")
    func directoryGone() throws {
        let home = try directory("d")
        let path = home + "/link.sock"
        let server = try Server(path)
        try server.start()
        let isMoved = rename(home, scratch.path("e")) == 0
        #expect(isMoved)
        server.expect(.socketLost)
        // Only another attempt finds the new reason, as nothing watches the path any more.
        _ = try scratch.write("d", "")
        server.expect(.socketLost, 2)
        try FileManager.default.removeItem(atPath: home)
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        server.expect(.socketRenewed)
        try server.connect()
        try FileManager.default.removeItem(atPath: path)
        server.expect(.socketRenewed, 2)
        try server.connect()
        let lost = server.log.all.filter { $0.event == .socketLost }.prefix(2).map(\.fields)
        let errors = [ENOENT, ENOTDIR].map { SystemError("open", on: path + ".lock", code: $0) }
        let fields: [[LogField]] = errors.map { [.path(path), .error($0), .delay(1)] }
        #expect(lost == fields)
    }

    @Test("A stopped listener leaves nothing but its lock, which another may have")
    func stop() throws {
        let path = scratch.path("link.sock")
        let server = try Server(path)
        try server.start()
        try server.stop()
        // The removal of the file is a change of the directory, too.
        try server.loop.perform {}
        #expect(throws: SystemError("connect to", on: path, code: ENOENT)) {
            _ = try UnixSocket.connect(to: path, blocking: true)
        }
        let next = try Server(path)
        try next.start()
        try next.connect()
        try server.stop()
        try next.connect()
        let events = server.log.all.map(\.event) + next.log.all.map(\.event)
        #expect(events == [])
    }

    @Test("A listener lets go of its owner when it stops, and when its loop ends", arguments: [false, true])
    func letsGo(_ isStopped: Bool) throws {
        let gone = DispatchSemaphore(value: 0)
        let loop = try EventLoop(name: "test")
        let listener = try Self.listener(loop, scratch.path("link.sock"), Canary(gone))
        try loop.perform { try listener.start() }
        if isStopped { try loop.perform { listener.stop() } }
        loop.stopLater()
        #expect(gone.wait(timeout: .now() + .seconds(30)) == .success)
        withExtendedLifetime(listener) {}
    }

    private static func listener(_ loop: EventLoop, _ path: String, _ owner: Canary) throws -> SocketListener {
        try SocketListener(loop: loop, path: path, access: .owner, logger: .silent) {
            (descriptor: consuming Descriptor) in withExtendedLifetime((owner, descriptor.number)) {}
        }
    }
}
