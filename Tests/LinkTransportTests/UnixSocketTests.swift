import Files
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Unix sockets")
struct UnixSocketTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.path("a.sock")
    }

    /// True if a connection was waiting.
    private static func accepts(_ listener: borrowing Descriptor) throws -> Bool {
        guard let descriptor = try UnixSocket.accept(listener) else { return false }
        return descriptor.number >= 0
    }

    /// The error of accepting at what does not listen.
    private static func failure(_ listener: borrowing Descriptor) -> SystemError? {
        do throws(SystemError) {
            _ = try UnixSocket.accept(listener)
            return nil
        } catch {
            return error
        }
    }

    @Test("A listener has no connection before one waits, and each of them once")
    func accept() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        var accepted = try [Self.accepts(listener)]
        let first = try UnixSocket.connect(to: path, blocking: true)
        let second = try UnixSocket.connect(to: path, blocking: false)
        for _ in 0..<3 { try accepted.append(Self.accepts(listener)) }
        #expect(accepted == [false, true, true, false])
        let numbers = [first.number, second.number]
        #expect(numbers[0] != numbers[1])
    }

    @Test("A connection waits for bytes only if asked to", arguments: [false, true])
    func blocking(_ isBlocking: Bool) throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let client = try UnixSocket.connect(to: path, blocking: isBlocking)
        let waits = fcntl(client.number, F_GETFL) & O_NONBLOCK == 0
        #expect(waits == isBlocking)
        let isInherited = fcntl(client.number, F_GETFD) & FD_CLOEXEC == 0
        #expect(!isInherited)
        #expect(listener.number >= 0)
    }

    @Test("What does not listen accepts nothing")
    func notListening() throws {
        let peer = try RawSocket()
        let error = Self.failure(Descriptor(peer.other))
        #expect(error == SystemError("accept on", on: "the listening socket", code: EINVAL))
    }

    @Test("A path that exists is not bound again, and its file is kept")
    func bound() throws {
        let file = try scratch.write("a.sock", "keep")
        #expect(throws: SystemError("bind", on: path, code: EADDRINUSE)) {
            _ = try UnixSocket.listen(at: path, mode: 0o600)
        }
        let kept = FileManager.default.contents(atPath: file)
        #expect(kept == Data("keep".utf8))
    }

    @Test("A name without a file has no permissions to set")
    func abstractListener() {
        let name = "@watchlink-\(UUID().uuidString)"
        #expect(throws: SystemError("chmod", on: name, code: ENOENT)) {
            _ = try UnixSocket.listen(at: name, mode: 0o600)
        }
    }

    @Test("Nobody answers at a path without a socket, or whose server is dead")
    func nobody() throws {
        #expect(throws: SystemError("connect to", on: path, code: ENOENT)) {
            _ = try UnixSocket.connect(to: path, blocking: true)
        }
        _ = try UnixSocket.listen(at: path, mode: 0o600)
        #expect(throws: SystemError("connect to", on: path, code: ECONNREFUSED)) {
            _ = try UnixSocket.connect(to: path, blocking: true)
        }
    }

    @Test("A datagram that nobody takes is an error")
    func datagram() {
        #expect(throws: SystemError("send to", on: path, code: ENOENT)) {
            try DatagramSocket(path: path).send(Array("READY=1".utf8))
        }
    }

    @Test("Descriptors that are no listening Unix stream sockets are refused by number")
    func inherited() throws {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let datagrams = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let idle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { for number in [file, datagrams, idle, network] { _ = close(number) } }
        #expect(throws: SystemError("use", on: "inherited descriptor \(file) as a socket", code: ENOTSOCK)) {
            try UnixSocket.adopt(file)
        }
        for number in [datagrams, idle, network] {
            let name = "inherited descriptor \(number) as a listening Unix stream socket"
            #expect(throws: SystemError("use", on: name, code: EINVAL)) { try UnixSocket.adopt(number) }
        }
    }

    @Test("A listening socket is adopted by its path: it waits no more, and children do not inherit it")
    func adopted() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let number = dup(listener.number)
        defer { _ = close(number) }
        _ = fcntl(number, F_SETFL, 0)
        let found = try UnixSocket.adopt(number)
        #expect(found == path)
        let isWaiting = fcntl(number, F_GETFL) & O_NONBLOCK == 0
        #expect(!isWaiting)
        let isInherited = fcntl(number, F_GETFD) & FD_CLOEXEC == 0
        #expect(!isInherited)
    }

    @Test("No descriptor is adopted without a positive count for this process")
    func counts() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let own = "\(getpid())"
        let environments = [
            ["LISTEN_PID": own], ["LISTEN_FDS": "1"], ["LISTEN_PID": own, "LISTEN_FDS": "0"],
            ["LISTEN_PID": own, "LISTEN_FDS": "-1"], ["LISTEN_PID": own, "LISTEN_FDS": "one"],
            ["LISTEN_PID": "\(getpid() + 1)", "LISTEN_FDS": "1"], ["LISTEN_PID": "", "LISTEN_FDS": "1"],
        ]
        for environment in environments {
            let sockets = InheritedSockets()
            let adopted = try sockets.adopt(environment: environment, first: listener.number)
            #expect(adopted == [], "\(environment)")
            #expect(sockets.unused == [], "\(environment)")
        }
    }

    @Test("An adopted socket is unused until it is taken, which happens once")
    func taken() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let sockets = InheritedSockets()
        let environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"]
        let adopted = try sockets.adopt(environment: environment, first: listener.number)
        #expect(adopted == [path])
        #expect(sockets.unused == [path])
        let numbers = [sockets.take("other"), sockets.take(path), sockets.take(path)]
        let expected: [Int32?] = [nil, listener.number, nil]
        #expect(numbers == expected)
        #expect(sockets.unused == [])
    }
}
