import Files
import Foundation
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Socket files")
struct SocketFileTests {
    /// Lives as long as the suite's instance, which each test has for itself.
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    static func claim(_ path: String) throws(SocketFile.ClaimError) -> SocketFile {
        try SocketFile(claiming: path, mode: 0o600)
    }

    @Test("A path is claimed once")
    func once() throws {
        let path = scratch.path("a.sock")
        let first = try Self.claim(path)
        #expect(!first.replacedStale)
        #expect(throws: SocketFile.ClaimError.inUse(path: path)) { try Self.claim(path) }
        withExtendedLifetime(first) {}
    }

    @Test("A dead process's socket is replaced")
    func stale() throws {
        let path = scratch.path("a.sock")
        // The descriptor and the lock end with the object, as they do with a process; the file stays.
        _ = try Self.claim(path)
        #expect(FileManager.default.fileExists(atPath: path))
        let second = try Self.claim(path)
        #expect(second.replacedStale)
    }

    @Test("A server that knows nothing of the lock is respected")
    func foreign() throws {
        let path = scratch.path("a.sock")
        let server = try UnixSocket.listen(at: path, mode: 0o600)
        #expect(throws: SocketFile.ClaimError.inUse(path: path)) { try Self.claim(path) }
        #expect(server.number >= 0)
    }

    @Test("What is no socket is not touched")
    func notSocket() throws {
        let path = scratch.path("precious")
        try Data("keep".utf8).write(to: URL(filePath: path))
        #expect(throws: SocketFile.ClaimError.notSocket(path: path)) { try Self.claim(path) }
        #expect(FileManager.default.contents(atPath: path) == Data("keep".utf8))
    }

    @Test("A path too long for a socket is refused by name")
    func longPath() throws {
        let path = scratch.path(String(repeating: "x", count: 120))
        #expect(throws: SocketFile.ClaimError.self) { try Self.claim(path) }
    }

    @Test("A socket file is its owner's alone")
    func mode() throws {
        let path = scratch.path("a.sock")
        let file = try Self.claim(path)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
