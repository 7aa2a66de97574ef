import Foundation
import Locking
import Testing

@testable import Processes
@testable import ServiceRuntime

@Suite("Scratch directories")
struct ScratchDirectoryTests {
    /// Every directory in the temporary directory whose name ends like this one's.
    private func remains(of path: String) throws -> [String] {
        let name = try #require(path.split(separator: "-").last)
        return try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
            .filter { $0.hasSuffix(name) }
    }

    @Test(
        "One goes whole, though somebody makes files in it all the while, as a service does whose socket is taken away")
    func beingWritten() throws {
        let isOver = Mutex(false)
        let writing = DispatchGroup()
        let paths = Mutex<[String]>([])
        let begun = DispatchSemaphore(value: 0)
        let writer = Thread {
            var number = 0
            while !isOver.withLock({ $0 }) {
                number += 1
                for path in paths.withLock({ $0 }) {
                    let file = open("\(path)/state/\(number % 64)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
                    if file >= 0 { close(file) }
                }
                if number == 64 { begun.signal() }
            }
            writing.leave()
        }
        let directories = try (0..<20).map { _ in try ScratchDirectory() }
        for directory in directories {
            try FileManager.default.createDirectory(
                atPath: directory.path + "/state", withIntermediateDirectories: false)
        }
        paths.withLock { $0 = directories.map(\.path) }
        writing.enter()
        writer.start()
        defer {
            isOver.withLock { $0 = true }
            writing.wait()
        }
        begun.wait()
        for directory in directories { directory.remove() }
        let left = try directories.flatMap { try remains(of: $0.path) }
        #expect(left == [])
    }

    @Test("One that is made while another program begins is not lost to that")
    func beingMade() throws {
        let isOver = Mutex(false)
        let sweeping = DispatchGroup()
        let sweeper = Thread {
            while !isOver.withLock({ $0 }) { ScratchDirectory.removeAbandoned() }
            sweeping.leave()
        }
        sweeping.enter()
        sweeper.start()
        defer {
            isOver.withLock { $0 = true }
            sweeping.wait()
        }
        for number in 1...300 {
            let directory = try ScratchDirectory()
            #expect(access(directory.path, F_OK) == 0, "directory \(number) is gone")
        }
    }

    @Test("What a killed program left is removed by the next one, whether it was in use or half removed")
    func abandoned() throws {
        let (used, half) = (try ScratchDirectory(), try ScratchDirectory())
        // As after a SIGKILL: nobody holds the locks, and the second one's removal has begun.
        let name = try #require(half.path.split(separator: "-").last)
        let temporary = FileManager.default.temporaryDirectory.path
        try FileManager.default.moveItem(atPath: half.path, toPath: "\(temporary)/gone-wl-\(name)")
        ScratchDirectory.removeAbandoned()
        let (stays, goes) = (try remains(of: used.path), try remains(of: half.path))
        #expect(stays.count == 1, "one that is in use stays")
        #expect(goes == [])
        half.keep()
    }
}
