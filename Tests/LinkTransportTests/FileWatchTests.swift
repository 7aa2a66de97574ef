import Files
import Foundation
import TestSupport
import Testing

@Suite("The watch of files")
struct FileWatchTests {
    private let scratch: Scratch
    private let path: String
    private let watch: FileWatch

    init() throws {
        scratch = try Scratch()
        path = try scratch.write("file", "text")
        watch = try FileWatch.ofProcess()
    }

    @Test("All users of a process share one")
    func shared() throws {
        let other = try FileWatch.ofProcess()
        #expect(other === watch)
    }

    @Test("A use before a watch of the same file started does not count for it")
    func earlierUse() throws {
        let earlier = try watch.watch(path)
        _ = try Data(contentsOf: URL(filePath: path))
        let later = try watch.watch(path)
        #expect(watch.isUsed(earlier) == true)
        #expect(watch.isUsed(later) == false)
        _ = try Data(contentsOf: URL(filePath: path))
        #expect(watch.isUsed(later) == true)
    }

    @Test("Two watches of one file, by its names, notice its use and end independently")
    func twoWatches() throws {
        let name = scratch.path("other name")
        try FileManager.default.linkItem(atPath: path, toPath: name)
        let (first, second) = (try watch.watch(path), try watch.watch(name))
        watch.forget(first)
        _ = try Data(contentsOf: URL(filePath: path))
        #expect(watch.isUsed(second) == true)
        #expect(watch.isUsed(first) == false)
        watch.forget(second)
        _ = try Data(contentsOf: URL(filePath: path))
        #expect(watch.isUsed(second) == false)
    }

    @Test("Each caller that waits for the use of one file is called once")
    func callers() throws {
        let calls = Collector<String>()
        let (first, second) = (try watch.watch(path), try watch.watch(path))
        watch.whenUsed(first, within: .seconds(3_600)) { calls.add("first \($0)") }
        watch.whenUsed(second, within: .seconds(3_600)) { calls.add("second \($0)") }
        _ = try Data(contentsOf: URL(filePath: path))
        calls.expect { $0.sorted() == ["first true", "second true"] }
    }

    @Test("A file that does not exist cannot be watched")
    func missing() {
        let name = scratch.path("missing")
        let error = #expect(throws: SystemError.self) { try watch.watch(name) }
        #expect(error?.code == ENOENT)
        #expect(error?.subject == name)
    }
}
