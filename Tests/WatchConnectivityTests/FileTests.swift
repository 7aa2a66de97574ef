import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Files")
struct FileTests {
    /// Creates a file with so many bytes without a pattern.
    private static func file(_ scratch: Scratch, _ name: String, bytes: Int) throws -> URL {
        let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
        let data = bytes == 0 ? Data() : try #require(try random.read(upToCount: bytes))
        let url = URL(filePath: scratch.path(name))
        try data.write(to: url)
        return url
    }

    /// Describes the first difference of a file from another; nil if their contents are equal.
    private static func difference(_ file: URL, from original: URL) throws -> String? {
        let (content, expected) = (try Data(contentsOf: file), try Data(contentsOf: original))
        guard content != expected else { return nil }
        let equal = zip(content, expected).prefix { $0.0 == $0.1 }.count
        return "\(content.count) bytes instead of \(expected.count), the first \(equal) of them equal"
    }

    @Test("A file arrives complete, with its metadata and progress", arguments: [0, 1, 131_072, 5_000_001])
    func whole(_ bytes: Int) throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let source = try Self.file(pair.scratch, "source.bin", bytes: bytes)
        let target = URL(filePath: pair.scratch.path("target.bin"))
        pair.host.delegate.fileTarget.withLock { $0 = target }
        // The observers are added before a file is sent: an empty one may arrive sooner.
        pair.companion.session.simulator.setLinkUp(false)
        let transfer = pair.companion.session.transferFile(source, metadata: ["kind": "test"])
        let fractions = Collector<Double>()
        let observation = transfer.progress.observe(\.fractionCompleted, options: [.new]) { _, change in
            fractions.add(change.newValue ?? -1)
        }
        pair.companion.session.simulator.setLinkUp(true)
        #expect(pair.host.received(["file source.bin \(bytes) kind=test"], "file"))
        pair.companion.delegate.events.expect { $0.contains("finished file source.bin ok") }
        let difference = try Self.difference(target, from: source)
        #expect(difference == nil)
        #expect(pair.companion.delegate.finishedObjects == [transfer])
        #expect(transfer.progress.isFinished)
        #expect(fractions.all.last == 1.0)
        #expect(fractions.all == fractions.all.sorted())
        #expect(pair.companion.session.outstandingFileTransfers.isEmpty)
        #expect(pair.host.logs(.transferDelivered))
        let inbox = try FileManager.default.contentsOfDirectory(atPath: pair.scratch.path("host/inbox"))
        #expect(inbox.isEmpty)
        observation.invalidate()
    }

    /// Waits until a file has been cleaned up: no hint about it can be logged any more.
    private static func expectRemoval(_ pair: TestPair, sourceLocation: SourceLocation = #_sourceLocation) {
        let folder = pair.scratch.path("host/inbox")
        let watcher = Collector<Int>()
        let source = DispatchSource.makeTimerSource()
        source.setEventHandler {
            watcher.add((try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1)
        }
        source.schedule(deadline: .now(), repeating: .milliseconds(5))
        source.resume()
        defer { source.cancel() }
        watcher.expect("the inbox is empty", sourceLocation: sourceLocation) { $0.last == 0 }
    }

    @Test("A file not touched in the call is removed, and a hint is logged")
    func notMoved() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.companion.session.transferFile(try Self.file(pair.scratch, "f", bytes: 10), metadata: nil)
        #expect(pair.host.received(["file f 10 "], "file"))
        #expect(pair.host.logs(.fileNotMoved))
        #expect(pair.host.logs(.transferDelivered))
        Self.expectRemoval(pair)
        #expect(!pair.host.hints.contains(.fileOpenedLate))
    }

    @Test("Reading or copying the file in the call gives no hint", arguments: [true, false])
    func read(_ copies: Bool) throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let target = URL(filePath: pair.scratch.path("copy"))
        pair.host.delegate.onFile.withLock {
            $0 = { url in
                if copies {
                    try? FileManager.default.copyItem(at: url, to: target)
                } else {
                    try? Data(contentsOf: url).write(to: target)
                }
            }
        }
        pair.companion.session.transferFile(try Self.file(pair.scratch, "f", bytes: 10), metadata: nil)
        #expect(pair.host.received(["file f 10 "], "file"))
        #expect(pair.host.logs(.transferDelivered))
        Self.expectRemoval(pair)
        let bytes = try Data(contentsOf: target).count
        #expect(bytes == 10)
        #expect(!pair.host.hints.contains(.fileNotMoved))
        #expect(!pair.host.hints.contains(.fileOpenedLate))
    }

    @Test(
        "Using the file after the call gives a hint that it is too late, whether it is read or moved",
        arguments: [true, false])
    func late(_ moves: Bool) throws {
        // Without a limit: the hint is logged when the file is opened.
        let pair = try TestPair { $0.lateFileUse = .seconds(30) }
        #expect(pair.connect())
        let urls = Collector<URL>()
        pair.host.delegate.onFile.withLock { $0 = { urls.add($0) } }
        pair.companion.session.transferFile(try Self.file(pair.scratch, "f", bytes: 10), metadata: nil)
        #expect(pair.host.received(["file f 10 "], "file"))
        #expect(pair.host.logs(.transferDelivered))
        let url = try #require(urls.all.first)
        if moves {
            try FileManager.default.moveItem(at: url, to: URL(filePath: pair.scratch.path("moved")))
        } else {
            _ = try FileHandle(forReadingFrom: url)
        }
        #expect(pair.host.logs(.fileOpenedLate))
        Self.expectRemoval(pair)
        #expect(!pair.host.hints.contains(.fileNotMoved))
    }

    @Test("Cancelling a file's progress cancels the file; its observers are notified")
    func cancelledProgress() throws {
        let pair = try TestPair()
        #expect(pair.companion.activate())
        let source = try Self.file(pair.scratch, "f", bytes: 10)
        let transfer = pair.companion.session.transferFile(source, metadata: nil)
        let seen = Collector<Bool>()
        let observation = transfer.progress.observe(\.isCancelled, options: [.new]) { seen.add($1.newValue ?? false) }
        transfer.progress.cancel()
        #expect(pair.companion.logs(.transferCancelled))
        #expect(transfer.progress.isCancelled)
        #expect(!transfer.isTransferring)
        #expect(pair.companion.session.outstandingFileTransfers.isEmpty)
        #expect(seen.all == [true])
        transfer.progress.cancel()
        #expect(pair.companion.count(.transferCancelled) == 1)
        #expect(seen.all == [true])
        observation.invalidate()
    }

    @Test("Files in flight are observable")
    func observed() throws {
        let pair = try TestPair()
        #expect(pair.companion.activate())
        let counts = Collector<String>()
        let observation = pair.companion.session.observe(\.outstandingFileTransfers, options: [.old, .new]) {
            counts.add("\($1.oldValue?.count ?? -1) \($1.newValue?.count ?? -1)")
        }
        let source = try Self.file(pair.scratch, "f", bytes: 10)
        let transfers = (0..<2).map { _ in pair.companion.session.transferFile(source, metadata: nil) }
        transfers[0].cancel()
        counts.expect { $0 == ["0 1", "1 2", "2 1"] }
        #expect(pair.host.activate())
        counts.expect { $0 == ["0 1", "1 2", "2 1", "1 0"] }
        observation.invalidate()
    }

    @Test("After a disconnection a file continues where its receiver was, even after restarts of both sides")
    func resumed() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let source = try Self.file(pair.scratch, "big", bytes: 64 * 1024 * 1024)
        let target = URL(filePath: pair.scratch.path("target"))
        let simulator = pair.companion.session.simulator
        pair.companion.chunks.set(after: 20) { simulator.setLinkUp(false) }
        pair.companion.session.transferFile(source, metadata: nil)
        #expect(pair.companion.logs(.transferInterrupted))
        #expect(pair.host.end())
        #expect(pair.companion.end())
        #expect(pair.host.begin())
        pair.host.delegate.fileTarget.withLock { $0 = target }
        #expect(pair.companion.begin())
        #expect(pair.companion.logs(.fileResumed))
        #expect(pair.host.received(["file big 67108864 "], "file"))
        let difference = try Self.difference(target, from: source)
        #expect(difference == nil)
        pair.companion.delegate.events.expect { $0.contains("finished file big ok") }
    }

    @Test("Messages do not wait for a file")
    func interleaved() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let source = try Self.file(pair.scratch, "big", bytes: 64 * 1024 * 1024)
        pair.companion.session.transferFile(source, metadata: nil)
        let replies = Collector<Int>()
        for number in 0..<20 { pair.companion.session.sendMessage(["n": number]) { _ in replies.add(number) } }
        replies.expect { $0.count == 20 }
        #expect(pair.host.delegate.all("file").isEmpty)
        #expect(pair.host.received(["file big 67108864 "], "file"))
    }

    @Test("An unreadable, missing or changed file fails with its code")
    func unreadable() throws {
        let pair = try TestPair()
        #expect(pair.companion.activate())
        func fails(_ name: String, _ code: Int) -> Bool {
            pair.companion.delegate.events.expect { $0.contains("finished file \(name) \(code)") }
        }
        pair.companion.session.transferFile(URL(filePath: pair.scratch.path("none")), metadata: nil)
        #expect(fails("none", 7013))
        pair.companion.session.transferFile(URL(filePath: pair.scratch.path), metadata: nil)
        #expect(fails(URL(filePath: pair.scratch.path).lastPathComponent, 7013))
        pair.companion.session.transferFile(try #require(URL(string: "https://example.org/f")), metadata: nil)
        #expect(fails("f", 7008))
        let gone = try Self.file(pair.scratch, "gone", bytes: 10)
        let changed = try Self.file(pair.scratch, "changed", bytes: 10)
        pair.companion.session.transferFile(gone, metadata: nil)
        pair.companion.session.transferFile(changed, metadata: nil)
        pair.companion.session.transferFile(changed, metadata: ["u": UUID()])
        #expect(fails("changed", 7010))
        try FileManager.default.removeItem(at: gone)
        try Data("other".utf8).write(to: changed)
        #expect(pair.host.activate())
        #expect(fails("gone", 7013))
        #expect(fails("changed", 7014))
    }

    @Test("A file for which the receiver has no space fails with its code, and the next one arrives")
    func noSpace() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let huge = try Self.file(pair.scratch, "huge", bytes: 1)
        // Four tebibytes of zeros: no test disk has that much space, and a sparse file takes none.
        try FileHandle(forWritingTo: huge).truncate(atOffset: 1 << 42)
        pair.companion.session.transferFile(huge, metadata: nil)
        pair.companion.delegate.events.expect { $0.contains("finished file huge 7015") }
        pair.companion.session.transferFile(try Self.file(pair.scratch, "small", bytes: 10), metadata: nil)
        #expect(pair.host.received(["file small 10 "], "file"))
    }

    @Test("A file cancelled in flight leaves nothing behind")
    func cancel() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let source = try Self.file(pair.scratch, "big", bytes: 64 * 1024 * 1024)
        // Slow enough to be in flight when it is cancelled.
        var slow = LinkCondition()
        slow.outgoing.bytesPerSecond = 8 * 1024 * 1024
        pair.companion.session.simulator.condition(slow)
        let sent = Collector<String>()
        pair.companion.chunks.set(after: 5) { sent.add("5 pieces") }
        let transfer = pair.companion.session.transferFile(source, metadata: nil)
        sent.expect { $0 == ["5 pieces"] }
        transfer.cancel()
        #expect(pair.companion.count(.transferCancelled) == 1)
        #expect(!transfer.isTransferring)
        #expect(pair.companion.session.outstandingFileTransfers.isEmpty)
        pair.companion.session.simulator.condition(.perfect)
        let small = try Self.file(pair.scratch, "small", bytes: 10)
        pair.companion.session.transferFile(small, metadata: nil)
        #expect(pair.host.received(["file small 10 "], "file"))
        let partial = try FileManager.default.contentsOfDirectory(atPath: pair.scratch.path("host/partial"))
        #expect(partial.isEmpty)
    }

    @Test("A file and each of its names are on the disk before the commit that precedes its acknowledgement")
    func durable() throws {
        guard FileCalls.areAvailable else { return }
        let pair = try TestPair()
        #expect(pair.connect())
        let source = try Self.file(pair.scratch, "f", bytes: 200_000)
        let calls = FileCalls.made(below: pair.scratch.path("host")) {
            let transfer = pair.companion.session.transferFile(source, metadata: nil)
            pair.companion.delegate.events.expect { $0.contains("finished file f ok") }
            _ = transfer
        }
        let moved = try #require(calls.firstIndex { $0.hasPrefix("rename partial/") && $0.hasSuffix("/f") }, "\(calls)")
        let folder = try #require(calls[moved].split(separator: " ").last?.dropLast("/f".count))
        let commit = try #require(
            calls[moved...].firstIndex { $0.hasSuffix("session.sqlite-wal") }, "\(calls)")
        // Its content, then its name, and the name of its directory.
        #expect(calls[..<moved].contains { $0.hasPrefix("fsync partial/") }, "\(calls)")
        #expect(calls[moved..<commit].contains("fsync \(folder)"), "\(calls)")
        #expect(calls[..<commit].contains("fsync inbox"), "\(calls)")
    }

    @Test("The directory that a killed process created for a file is on the disk before the commit, too")
    func durableAfterKill() throws {
        guard FileCalls.areAvailable else { return }
        let pair = try TestPair()
        #expect(pair.connect())
        pair.companion.session.simulator.setLinkUp(false)
        let source = try Self.file(pair.scratch, "f", bytes: 1_000)
        let transfer = pair.companion.session.transferFile(source, metadata: nil)
        let folder = pair.scratch.path("host/inbox/\(transfer.identifier.uuidString)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let calls = FileCalls.made(below: pair.scratch.path("host")) {
            pair.companion.session.simulator.setLinkUp(true)
            pair.companion.delegate.events.expect { $0.contains("finished file f ok") }
        }
        let moved = try #require(calls.firstIndex { $0.hasPrefix("rename partial/") && $0.hasSuffix("/f") }, "\(calls)")
        let commit = try #require(calls[moved...].firstIndex { $0.hasSuffix("session.sqlite-wal") }, "\(calls)")
        #expect(calls[..<commit].contains("fsync inbox"), "\(calls)")
    }

    @Test(
        "A file that meets a full or a broken disk is postponed on both sides, and continues when the disk works again",
        arguments: [DiskFault.full, .error, .readOnly])
    func disk(_ fault: DiskFault) throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let source = try Self.file(pair.scratch, "f", bytes: 3_000_000)
        let target = URL(filePath: pair.scratch.path("target"))
        pair.host.delegate.fileTarget.withLock { $0 = target }
        // In the middle of it, and again at its beginning.
        try pair.host.session.simulator.setDisk(fault, after: 4)
        pair.companion.session.transferFile(source, metadata: nil)
        pair.companion.log.expect("it is tried again") { $0.count { $0.event == .transferRetryScheduled } >= 3 }
        #expect(pair.companion.delegate.all("finished").isEmpty)
        #expect(pair.companion.session.outstandingFileTransfers.count == 1)
        // Earlier pieces are kept: the sender continues after them.
        let partial = pair.scratch.path("host/partial")
        let parts = try FileManager.default.contentsOfDirectory(atPath: partial)
        #expect(parts.count == 1)
        let bytes = try parts.first.map { try Data(contentsOf: URL(filePath: "\(partial)/\($0)")).count } ?? 0
        #expect((1..<3_000_000).contains(bytes), "\(bytes) bytes")
        let reasons = pair.companion.log.all.filter { $0.event == .transferRetryScheduled }
            .flatMap(\.fields).filter { $0.key == "reason" }.map { "\($0)" }
        // No path is sent to the counterpart.
        #expect(!reasons.contains { $0.contains(pair.scratch.path) }, "\(reasons)")
        try pair.host.session.simulator.setDisk(.none)
        #expect(pair.host.received(["file f 3000000 "], "file"))
        pair.companion.delegate.events.expect { $0.contains("finished file f ok") }
        let difference = try Self.difference(target, from: source)
        #expect(difference == nil)
    }
}
