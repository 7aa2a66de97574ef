import Foundation
import Glibc
import TestSupport
import Testing

@testable import Files
@testable import LinkTransport

@Suite("Sockets of a service manager")
struct SupervisionSocketTests {
    private let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test("A listening socket that was handed over is used by its path, once, and stays when the listener goes")
    func inherited() throws {
        let path = scratch.path("link.sock")
        let held = try UnixSocket.listen(at: path, mode: 0o600)
        let handed = dup(held.number)
        let environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"]
        let adopted = try InheritedSockets.process.adopt(environment: environment, first: handed)
        #expect(adopted == [path])
        let file = try SocketFile(claiming: path, mode: 0o600)
        #expect(file.descriptor.number == handed)
        #expect(!file.replacedStale)
        #expect(fcntl(handed, F_GETFD) & FD_CLOEXEC != 0)
        #expect(InheritedSockets.process.unused.contains(path) == false)
        file.remove()
        #expect(FileManager.default.fileExists(atPath: path))
        _ = try UnixSocket.connect(to: path, blocking: true)
    }

    @Test("Descriptors for another process, or none, are left alone; what is no listening socket is refused")
    func foreign() throws {
        let sockets = InheritedSockets()
        let none = try sockets.adopt(environment: [:], first: 3)
        #expect(none.isEmpty)
        let others = try sockets.adopt(environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1"], first: 3)
        #expect(others.isEmpty)
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(throws: SystemError.self) {
            try sockets.adopt(environment: ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"], first: file)
        }
    }

    @Test("A datagram reaches a socket by its path and in the abstract namespace", arguments: [false, true])
    func notification(_ isAbstract: Bool) throws {
        let name = isAbstract ? "@watchlink-\(UUID().uuidString)" : scratch.path("notify")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
        if isAbstract { address.sun_path.0 = 0 }
        let length = socklen_t(isAbstract ? 2 + name.utf8.count : MemoryLayout<sockaddr_un>.size)
        let reader = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(reader) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(reader, $0, length) }
        }
        #expect(bound == 0)
        try DatagramSocket(path: name).send(Array("READY=1\nSTATUS=serving".utf8))
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = recv(reader, &buffer, buffer.count, 0)
        #expect(String(decoding: buffer[..<max(0, count)], as: UTF8.self) == "READY=1\nSTATUS=serving")
        #expect(throws: SystemError.self) {
            try DatagramSocket(path: scratch.path("nobody")).send(Array("READY=1".utf8))
        }
    }

    @Test("An inherited socket whose file is gone cannot be claimed, as nobody could connect to it")
    func withoutFile() throws {
        let path = scratch.path("gone.sock")
        let held = try UnixSocket.listen(at: path, mode: 0o600)
        let handed = dup(held.number)
        let environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"]
        let adopted = try InheritedSockets.process.adopt(environment: environment, first: handed)
        #expect(adopted == [path])
        try FileManager.default.removeItem(atPath: path)
        let error = SystemError("chmod", on: path, code: ENOENT)
        #expect(throws: SocketFile.ClaimError.system(error)) { try SocketFile(claiming: path, mode: 0o600) }
    }

    @Test("An inherited socket has the permissions asked for")
    func permissions() throws {
        let path = scratch.path("open.sock")
        let held = try UnixSocket.listen(at: path, mode: 0o600)
        let environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"]
        _ = try InheritedSockets.process.adopt(environment: environment, first: dup(held.number))
        let file = try SocketFile(claiming: path, mode: 0o660)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o660)
        #expect(file.isInPlace)
    }
}
