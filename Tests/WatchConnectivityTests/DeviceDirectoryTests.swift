import Foundation
import TestSupport
import Testing

@testable import DeviceShell

@Suite("The directory of a device")
struct DeviceDirectoryTests {
    private let scratch: Scratch
    private let directory: DeviceDirectory

    init() throws {
        scratch = try Scratch()
        directory = DeviceDirectory(scratch.path("d"))
    }

    @Test(
        "A file in the place of one of its directories is an error that names it",
        arguments: ["", "/inbox", "/partial", "/watches"])
    func fileInPlace(_ name: String) throws {
        if !name.isEmpty {
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
        }
        _ = try scratch.write("d" + name, "text")
        let error = #expect(throws: (any Error).self) { try directory.create() }
        let text = error.map { "\($0)" }
        #expect(text == "create \(directory.path)\(name): Not a directory")
    }

    @Test("It is created with the directories above it, and is left as it is the second time")
    func created() throws {
        let deep = DeviceDirectory(scratch.path("a/b"))
        try deep.create()
        let names = try FileManager.default.contentsOfDirectory(atPath: deep.path).sorted()
        #expect(names == ["inbox", "partial", "watches"])
        let file = try scratch.write("a/b/inbox/file", "text")
        try deep.create()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text == "text")
    }

    @Test("What it contains has its own place for each watch and each transfer")
    func places() {
        let (watch, transfer) = (UUID(), UUID())
        let path = directory.path
        #expect(directory.database == "\(path)/session.sqlite")
        #expect(directory.controlSocket == "\(path)/control.sock")
        #expect(directory.lock == "\(path)/lock")
        #expect(directory.watch(watch) == "\(path)/watches/\(watch.uuidString)")
        #expect(directory.again(transfer) == "\(path)/inbox/\(transfer.uuidString)-again")
        let part = directory.partial(transfer, from: watch)
        #expect(part == "\(path)/partial/\(watch.uuidString)-\(transfer.uuidString)")
        #expect(DeviceDirectory.folder(of: "\(path)/inbox/x/file") == "\(path)/inbox/x")
    }
}
