import Dispatch
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import DeviceShell
@testable import WatchConnectivity

@Suite("A file that the delegate receives")
struct ReceivedFileTests {
    private let scratch: Scratch
    private let folder: String
    private let path: String

    init() throws {
        scratch = try Scratch()
        folder = scratch.path("folder")
        path = folder + "/f"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data([1]).write(to: URL(filePath: path))
    }

    @Test("The use of one that is not watched is unknown, unless it is no longer there: then it was moved")
    func use() throws {
        let file = ReceivedFile(path: path)
        let before = file.use
        #expect(before == ReceivedFile.Use.unknown)
        try FileManager.default.moveItem(atPath: path, toPath: scratch.path("elsewhere"))
        let after = file.use
        #expect(after == ReceivedFile.Use.moved)
    }

    @Test("The later use of one that is not watched is unknown at once, which is told once, as no use")
    func usedLater() {
        let uses = Collector<Bool>()
        ReceivedFile(path: path).whenUsed(within: .seconds(3_600)) { uses.add($0) }
        #expect(uses.all == [false])
    }

    @Test("The use of one that is watched is known, before and after it is opened, and when it is moved")
    func watched() throws {
        let configuration = DeviceConfiguration(
            device: Device(identifier: UUID(), role: .host, name: "phone"), socketPath: scratch.path("link"),
            stateDirectory: scratch.path("state"))
        let settings = configuration.shellSettings
        let queue = DispatchQueue(label: "test.store")
        let home = try queue.sync { try DeviceHome(settings, queue: queue) }
        let file = try ReceivedFile(path: path, watch: home.fileWatch)
        let before = file.use
        #expect(before == ReceivedFile.Use.none)
        let content = try Data(contentsOf: URL(filePath: path))
        #expect(content == Data([1]))
        let opened = file.use
        #expect(opened == ReceivedFile.Use.opened)
        let uses = Collector<Bool>()
        file.whenUsed(within: .seconds(30)) { uses.add($0) }
        uses.expect { $0 == [true] }
        try FileManager.default.moveItem(atPath: path, toPath: scratch.path("elsewhere"))
        let moved = file.use
        #expect(moved == ReceivedFile.Use.moved)
    }

    @Test("It is removed with its directory and nothing else; removing it again is no error")
    func removed() throws {
        let other = try scratch.write("other", "text")
        let file = ReceivedFile(path: path)
        for _ in 1...2 {
            try file.remove()
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
        #expect(FileManager.default.fileExists(atPath: other))
    }

    @Test("The directory of one that was moved is removed, and the file is not")
    func removedAfterMove() throws {
        let target = scratch.path("elsewhere")
        try FileManager.default.moveItem(atPath: path, toPath: target)
        try ReceivedFile(path: path).remove()
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(FileManager.default.fileExists(atPath: target))
    }

    @Test("The directory is removed whatever characters its name has")
    func removedByName() throws {
        let folder = scratch.path("a b")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let path = try scratch.write("a b/f", "text")
        try ReceivedFile(path: path).remove()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("A directory that cannot be removed is an error")
    func unremovable() {
        // The kernel lets nobody remove its files.
        #expect(throws: (any Error).self) { try ReceivedFile(path: "/proc/self/status").remove() }
    }

    @Test("The use of a removed file is not told any more, by whatever other name the file goes on")
    func forgotten() throws {
        let configuration = DeviceConfiguration(
            device: Device(identifier: UUID(), role: .host, name: "phone"), socketPath: scratch.path("link"),
            stateDirectory: scratch.path("state"))
        let settings = configuration.shellSettings
        let queue = DispatchQueue(label: "test.store")
        let home = try queue.sync { try DeviceHome(settings, queue: queue) }
        let uses = Collector<String>()
        let other = scratch.path("other")
        try FileManager.default.linkItem(atPath: path, toPath: other)
        let removed = try ReceivedFile(path: path, watch: home.fileWatch)
        removed.whenUsed(within: .seconds(3_600)) { _ in uses.add("removed") }
        try removed.remove()
        _ = try Data(contentsOf: URL(filePath: other))
        // The events arrive in the order of the uses.
        let nextPath = try scratch.write("next", "text")
        let next = try ReceivedFile(path: nextPath, watch: home.fileWatch)
        _ = try Data(contentsOf: URL(filePath: nextPath))
        next.whenUsed(within: .seconds(30)) { _ in uses.add("next") }
        uses.expect { $0.contains("next") }
        #expect(uses.all == ["next"])
    }
}
