import Foundation
import Glibc
import TestSupport
import Testing

@testable import Files
@testable import LinkTransport

@Suite("Files for the link")
struct FileSourceAndSinkTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("A file that is read from its middle has the checksum of all of it")
    func source() throws {
        let data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let path = scratch.path("f")
        try data.write(to: URL(filePath: path))
        var checksum = Checksum()
        checksum.update(data)
        let source = try FileSource(path: path, expected: try FileSource.attributes(of: path))
        let (bytes, whole) = try source.read(offset: 40_000, count: 60_000, isLast: true)
        let expected: Data = data.suffix(60_000)
        #expect(bytes == expected)
        #expect(whole == checksum.value)
        // zlib's own example of a CRC-32.
        var known = Checksum()
        known.update(Data("123456789".utf8))
        #expect(known.value == 0xCBF4_3926)
    }

    @Test("A file that is changed while it is read is noticed")
    func changed() throws {
        let path = try scratch.write("f", String(repeating: "x", count: 1_000))
        let source = try FileSource(path: path, expected: nil)
        _ = try source.read(offset: 0, count: 500, isLast: false)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 600)
        #expect(throws: FileSource.Failure.changed(path: path)) {
            try source.read(offset: 500, count: 500, isLast: true)
        }
        #expect(throws: FileSource.Failure.notRegular(path: scratch.path)) {
            try FileSource(path: scratch.path, expected: nil)
        }
    }

    @Test("A file that is received goes on where it was, and is only taken with the right checksum")
    func sink() throws {
        let data = Data("123456789".utf8)
        let first = try FileSink(path: scratch.path("part"), expectedSize: 9)
        try first.append(data.prefix(4))
        let second = try FileSink(path: scratch.path("part"), expectedSize: 9)
        #expect(second.size == 4)
        try second.append(data.suffix(5))
        let isWrongTaken = try second.finish(checksum: 1, as: "whole", in: DurableDirectory(scratch.path))
        #expect(!isWrongTaken)
        let third = try FileSink(path: scratch.path("part"), expectedSize: 9)
        #expect(third.size == 0)
        try third.append(data)
        let isTaken = try third.finish(checksum: 0xCBF4_3926, as: "whole", in: DurableDirectory(scratch.path))
        #expect(isTaken)
        let whole = try Data(contentsOf: URL(filePath: scratch.path("whole")))
        #expect(whole == data)
    }

    @Test("A file for which there is no room is refused before a byte of it comes")
    func noRoom() {
        do {
            _ = try FileSink(path: scratch.path("part"), expectedSize: .max / 2)
            Issue.record("there is no such disk")
        } catch {
            // There is no disk that large: it is not tried again when others have made room.
            #expect(error.code == EFBIG)
            #expect(!error.isTemporary)
        }
    }

    @Test("A lock is held once, until it is given back or its holder is gone")
    func lock() throws {
        let path = scratch.path("lock")
        var held = try FileLock.claim(path)
        #expect(held != nil)
        let refused = try FileLock.claim(path)
        #expect(refused == nil)
        held?.release()
        let second = try FileLock.claim(path)
        #expect(second != nil)
        held = nil
        let refusedAgain = try FileLock.claim(path)
        #expect(refusedAgain == nil)
        withExtendedLifetime(second) {}
    }
}
