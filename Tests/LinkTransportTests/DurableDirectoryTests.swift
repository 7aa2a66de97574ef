import Foundation
import TestSupport
import Testing

@testable import Files
@testable import LinkTransport

@Suite("Directories whose entries survive a power cut")
struct DurableDirectoryTests {
    private let scratch: Scratch
    init() throws { scratch = try Scratch() }

    private func calls(_ body: () throws -> Void) rethrows -> [String] {
        try FileCalls.made(below: scratch.path, body)
    }

    @Test("Each change is followed by a sync of the directory that it changes")
    func order() throws {
        guard FileCalls.areAvailable else { return }
        let deep = DurableDirectory(scratch.path("a/b/"))
        let made = try calls { try deep.create() }
        #expect(made == ["mkdir a", "fsync .", "mkdir a/b", "fsync a"])
        let again = try calls { try deep.create() }
        #expect(again.isEmpty)
        let written = try calls { try deep.write(Data("content".utf8), to: "file") }
        #expect(written == ["fsync a/b/file.new", "rename a/b/file.new a/b/file", "fsync a/b"])
        let linked = try calls { try deep.link(scratch.path("a/b/file"), as: "second") }
        #expect(linked == ["link a/b/file a/b/second", "fsync a/b"])
        let moved = try calls { try deep.move(scratch.path("a/b/second"), to: "third") }
        #expect(moved == ["rename a/b/second a/b/third", "fsync a/b"])
        let content = try Data(contentsOf: URL(filePath: scratch.path("a/b/third")))
        #expect(content == Data("content".utf8))
    }

    @Test("A write that fails leaves what was there, and nothing beside it")
    func failed() throws {
        let directory = DurableDirectory(scratch.path)
        try directory.write(Data("old".utf8), to: "file")
        try FileManager.default.createDirectory(atPath: scratch.path("file.new"), withIntermediateDirectories: false)
        #expect(throws: SystemError.self) { try directory.write(Data("new".utf8), to: "file") }
        let content = try Data(contentsOf: URL(filePath: scratch.path("file")))
        #expect(content == Data("old".utf8))
    }

    @Test("The directory of a file is found by its path as it is, also with spaces")
    func names() throws {
        #expect(DurableDirectory(of: "/a b/ü/c").path == "/a b/ü")
        #expect(DurableDirectory(of: "/c").path == "/")
        #expect(DurableDirectory(of: "c").path == ".")
        #expect(DurableDirectory("/").path(of: "c") == "/c")
        #expect(DurableDirectory("/a/").path(of: "c") == "/a/c")
        let error = #expect(throws: SystemError.self) {
            try DurableDirectory(try scratch.write("file", "") + "/below").create()
        }
        #expect(error?.code == ENOTDIR)
    }
}
