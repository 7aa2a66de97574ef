import Dispatch
import Files
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Watched directories")
struct DirectoryWatchTests {
    /// A watch on a loop of its own.
    private final class Watch: Sendable {
        let loop: EventLoop
        let changes = Collector<Bool>()
        private let watches = Collector<DirectoryWatch>()

        init() throws { loop = try EventLoop(name: "test") }

        func start(_ directory: String) throws {
            try loop.perform { [loop, changes, watches] in
                let watch = try DirectoryWatch(loop: loop, directory: directory) { changes.add(true) }
                watches.add(watch)
            }
        }

        func stop() throws { try loop.perform { [watches] in for watch in watches.all { watch.stop() } } }

        /// True if a deed is noticed, at least once.
        func notices(_ deed: () throws -> Void) throws -> Bool {
            let count = changes.all.count
            try deed()
            try loop.perform {}
            return changes.all.count > count
        }

        deinit { loop.stopLater() }
    }

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("New, renamed and removed names are noticed, and the end of the directory; contents are not")
    func changes() throws {
        let files = FileManager.default
        let directory = scratch.path("d")
        try files.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let watch = try Watch()
        try watch.start(directory)
        let (file, other) = (directory + "/a", directory + "/b")
        let noticed = try [
            watch.notices { _ = try scratch.write("d/a", "") }, watch.notices { _ = try scratch.write("d/a", "text") },
            watch.notices { try files.moveItem(atPath: file, toPath: other) },
            watch.notices { try files.moveItem(atPath: other, toPath: scratch.path("c")) },
            watch.notices { try files.moveItem(atPath: scratch.path("c"), toPath: file) },
            watch.notices { try files.removeItem(atPath: file) },
            watch.notices { try files.moveItem(atPath: directory, toPath: scratch.path("e")) },
            watch.notices { try files.removeItem(atPath: scratch.path("e")) },
        ]
        #expect(noticed == [true, false, true, true, true, true, true, true])
    }

    @Test("A watch that is stopped notices nothing, and can be stopped again")
    func stop() throws {
        let watch = try Watch()
        try watch.start(scratch.path)
        let before = try watch.notices { _ = try scratch.write("a", "") }
        #expect(before)
        try watch.stop()
        try watch.stop()
        let after = try watch.notices { _ = try scratch.write("b", "") }
        #expect(!after)
    }

    @Test("Only a directory that exists is watched")
    func unwatched() throws {
        let watch = try Watch()
        let missing = scratch.path("missing")
        #expect(throws: SystemError("watch", on: missing, code: ENOENT)) { try watch.start(missing) }
        let file = try scratch.write("file", "")
        #expect(throws: SystemError("watch", on: file, code: ENOTDIR)) { try watch.start(file) }
    }

    @Test("A watch lets go of its owner when it stops, and when its loop ends", arguments: [false, true])
    func letsGo(_ isStopped: Bool) throws {
        let gone = DispatchSemaphore(value: 0)
        let loop = try EventLoop(name: "test")
        let watch = try Self.watch(loop, scratch.path, Canary(gone))
        if isStopped { try loop.perform { watch.stop() } } else { loop.stopLater() }
        #expect(gone.wait(timeout: .now() + .seconds(30)) == .success)
        withExtendedLifetime(watch) {}
        loop.stopLater()
    }

    private static func watch(_ loop: EventLoop, _ path: String, _ owner: Canary) throws -> DirectoryWatch {
        try loop.perform {
            try DirectoryWatch(loop: loop, directory: path) { withExtendedLifetime(owner) {} }
        }
    }

    @Test("The loop lets go of a watch that is stopped")
    func forgotten() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let path = scratch.path
        let isGone = try loop.perform {
            weak var former: DirectoryWatch?
            do {
                let watch = try DirectoryWatch(loop: loop, directory: path) {}
                former = watch
                watch.stop()
            }
            return former == nil
        }
        #expect(isGone)
    }
}
