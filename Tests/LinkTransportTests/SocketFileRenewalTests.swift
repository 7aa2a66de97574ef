import Files
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Renewal of socket files")
struct SocketFileRenewalTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.path("a.sock")
    }

    private func claim() throws -> SocketFile { try SocketFile(claiming: path, mode: 0o600) }

    private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    @Test("A file is in place until its socket is removed")
    func socketRemoved() throws {
        let file = try claim()
        #expect(file.isInPlace)
        try remove(path)
        #expect(!file.isInPlace)
    }

    @Test("A file is in place until its lock is removed")
    func lockRemoved() throws {
        let file = try claim()
        try remove(path + ".lock")
        #expect(!file.isInPlace)
    }

    @Test("Another socket or lock at the path is not this one", arguments: ["", ".lock"])
    func replaced(_ suffix: String) throws {
        let file = try claim()
        let other = try scratch.write("other", "")
        let isMoved = rename(other, path + suffix) == 0
        #expect(isMoved)
        #expect(!file.isInPlace)
    }

    @Test("A file that lost its socket, its lock or both is renewed", arguments: [[""], [".lock"], ["", ".lock"]])
    func renewed(_ suffixes: [String]) throws {
        let file = try claim()
        for suffix in suffixes { try remove(path + suffix) }
        let renewed = try file.renewed(mode: 0o660)
        #expect(renewed.isInPlace)
        #expect(!renewed.replacedStale)
        #expect(!file.isInPlace)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o660)
        #expect(throws: SocketFile.ClaimError.inUse(path: path)) { try claim() }
        _ = try UnixSocket.connect(to: path, blocking: true)
    }

    @Test("A server that has taken the path keeps it")
    func taken() throws {
        let file = try claim()
        try remove(path)
        let other = try UnixSocket.listen(at: path, mode: 0o600)
        #expect(throws: SocketFile.ClaimError.inUse(path: path)) { try file.renewed(mode: 0o600) }
        _ = try UnixSocket.connect(to: path, blocking: true)
        file.remove()
        _ = try UnixSocket.connect(to: path, blocking: true)
        #expect(other.number >= 0)
    }

    @Test("Something else at the path is kept, by a renewal and by a removal")
    func somethingElse() throws {
        let file = try claim()
        try remove(path)
        let precious = try scratch.write("a.sock", "keep")
        #expect(throws: SocketFile.ClaimError.notSocket(path: path)) { try file.renewed(mode: 0o600) }
        file.remove()
        let kept = FileManager.default.contents(atPath: precious)
        #expect(kept == Data("keep".utf8))
    }

    @Test("A removal takes the socket and leaves the lock, which is free")
    func removal() throws {
        let file = try claim()
        file.remove()
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(names.contains("a.sock.lock"))
        #expect(!names.contains("a.sock"))
        let next = try claim()
        #expect(next.isInPlace)
        #expect(!next.replacedStale)
        withExtendedLifetime(file) {}
    }

    @Test("The permissions are those asked for", arguments: [UInt32(0o600), 0o660, 0o666])
    func permissions(_ mode: UInt32) throws {
        let file = try SocketFile(claiming: path, mode: mode)
        let found = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(found == Int(mode))
    }

    @Test("The longest path is claimed; one byte more is refused by name")
    func longest() throws {
        let rest = UnixSocket.longestPath - scratch.path("").utf8.count
        let longest = scratch.path(String(repeating: "x", count: rest))
        #expect(longest.utf8.count == 107)
        let file = try SocketFile(claiming: longest, mode: 0o600)
        #expect(file.isInPlace)
        _ = try UnixSocket.connect(to: longest, blocking: true)
        let error = SystemError("use", on: "\(longest)x as a socket path", code: ENAMETOOLONG)
        #expect(throws: SocketFile.ClaimError.system(error)) { try SocketFile(claiming: longest + "x", mode: 0o600) }
        #expect(throws: error) { _ = try UnixSocket.connect(to: longest + "x", blocking: true) }
    }

    @Test("A socket of another kind is kept, and the error says why nobody can connect to it")
    func otherKind() throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let other = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(other) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(other, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        let error = SystemError("connect to", on: path, code: EPROTOTYPE)
        #expect(throws: SocketFile.ClaimError.system(error)) { try claim() }
        let isThere = FileManager.default.fileExists(atPath: path)
        #expect(isThere)
    }

    @Test("A lock that cannot be opened is named")
    func lockless() throws {
        let missing = scratch.path("missing/a.sock")
        let noDirectory = SystemError("open", on: missing + ".lock", code: ENOENT)
        #expect(throws: SocketFile.ClaimError.system(noDirectory)) { try SocketFile(claiming: missing, mode: 0o600) }
        try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
        let noFile = SystemError("open", on: path + ".lock", code: EISDIR)
        #expect(throws: SocketFile.ClaimError.system(noFile)) { try claim() }
    }

    @Test("Each error says what to do")
    func words() {
        let errors: [SocketFile.ClaimError] = [
            .inUse(path: "/a"), .notSocket(path: "/a"), .system(SystemError("bind", on: "/a", code: EACCES)),
        ]
        let words = errors.map(\.description)
        #expect(
            words == [
                "/a is served by another process: stop it first, or choose another --state-directory",
                "/a exists and is not a socket: move it away", "bind /a: Permission denied",
            ])
    }
}
