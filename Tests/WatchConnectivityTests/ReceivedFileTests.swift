import Dispatch
import Foundation
import TestSupport
import Testing

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
        #expect(before == .unknown)
        try FileManager.default.moveItem(atPath: path, toPath: scratch.path("elsewhere"))
        let after = file.use
        #expect(after == .moved)
    }

    @Test("The later use of one that is not watched is unknown at once, which is told once, as no use")
    func usedLater() {
        let uses = Collector<Bool>()
        ReceivedFile(path: path).whenUsed(within: .seconds(3_600)) { uses.add($0) }
        #expect(uses.all == [false])
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
}
