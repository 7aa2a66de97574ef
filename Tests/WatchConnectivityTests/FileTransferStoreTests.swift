import DeviceEngine
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import SessionStorage
import TestSupport
import Testing

@testable import DeviceShell

@Suite("The shelf of a device's files")
struct FileTransferStoreTests {
    static let content = Data("123456789".utf8)
    /// The published CRC-32 of that content.
    static let checksum: UInt32 = 0xCBF4_3926
    static let limit = 16

    private let scratch: Scratch
    private let directory: DeviceDirectory
    private let store: SessionStore
    private let files: FileTransferStore
    private let log = Collector<LogRecord>()
    private let reports = Collector<Bool>()
    private let peer = UUID()

    init() throws {
        scratch = try Scratch()
        directory = DeviceDirectory(scratch.path("d"))
        try directory.create()
        store = SessionStore(path: directory.database)
        _ = try store.inboxCount()
        files = FileTransferStore(
            directory, store, logger: Logger(service: "test") { [log] in log.add($0) },
            report: { [reports] _ in reports.add(true) })
    }

    /// Waits until all requests are done.
    private func settle() {
        let done = DispatchSemaphore(value: 0)
        files.afterAll { done.signal() }
        done.wait()
    }

    private func makeKey(_ transfer: UUID = UUID()) -> FileKey { FileKey(device: peer, transfer: transfer) }

    private func offer() -> FileOffer { FileOffer(name: "f", size: Int64(Self.content.count), metadata: nil) }

    private func open(_ key: FileKey) {
        files.openPart(key, offer(), from: key.device)
        settle()
    }

    private func finish(
        _ key: FileKey, _ bytes: Data = Self.content, at offset: Int64 = 0, checksum: UInt32? = Self.checksum
    ) {
        let chunk = FilePackage.Chunk(transfer: key.transfer, offset: offset, bytes: bytes, checksum: checksum)
        files.finish(key, offer(), chunk, from: key.device, held: 0)
        settle()
    }

    private func append(_ key: FileKey, _ bytes: Data = Self.content) {
        files.append(key, FilePackage.Chunk(transfer: key.transfer, offset: 0, bytes: bytes, checksum: nil), held: 0)
        settle()
    }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    private func bytes(of key: FileKey) throws -> Data? {
        let path = directory.partial(key.transfer, from: key.device)
        return FileManager.default.fileExists(atPath: path) ? try Data(contentsOf: URL(filePath: path)) : nil
    }

    /// The errors of files that were logged.
    private var errors: [LogField] {
        log.all.filter { $0.event == .fileSystemFailed }.flatMap(\.fields).filter { $0.key == "error" }
    }

    /// Writes a partial file of a counterpart that is so many seconds old.
    private func makePart(of peer: UUID, age: TimeInterval) throws -> String {
        let path = directory.partial(UUID(), from: peer)
        try Data([1]).write(to: URL(filePath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
        return path
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    // MARK: - Complete files

    @Test("A complete file is in a directory of its own, under its name, and its part is gone")
    func complete() throws {
        let key = makeKey()
        open(key)
        finish(key)
        let folder = directory.inbox + "/" + key.transfer.uuidString
        let content = try Data(contentsOf: URL(filePath: folder + "/f"))
        #expect(content == Self.content)
        let left = try names(directory.partial)
        #expect(left == [])
        #expect(reports.all.count == 2)
        #expect(errors == [])
    }

    @Test("A file whose checksum is wrong or missing does not arrive", arguments: [checksum + 1, nil])
    func damaged(_ checksum: UInt32?) throws {
        let key = makeKey()
        open(key)
        finish(key, checksum: checksum)
        let arrived = FileManager.default.fileExists(
            atPath: directory.inbox + "/" + key.transfer.uuidString + "/f")
        #expect(!arrived)
        #expect(errors == [])
    }

    @Test("A disk that fails between the last piece and the move leaves the part, from which the file is continued")
    func fullBeforeMove() throws {
        let key = makeKey()
        open(key)
        try DiskFault.full.apply(to: directory.path, after: 1)
        finish(key)
        try DiskFault.none.apply(to: directory.path)
        let inbox = try names(directory.inbox)
        #expect(inbox == [])
        let part = try bytes(of: key)
        #expect(part == Self.content)
        #expect(errors == [.error("write to \(directory.partial): No space left on device")])
        open(key)
        finish(key, Data(), at: Int64(Self.content.count))
        let arrived = try names(directory.inbox + "/" + key.transfer.uuidString)
        #expect(arrived == ["f"])
    }

    @Test("A file in the place of its directory is an error that names it, and the part stays")
    func fileInPlace() throws {
        let key = makeKey()
        open(key)
        let folder = directory.inbox + "/" + key.transfer.uuidString
        try Data().write(to: URL(filePath: folder))
        finish(key)
        #expect(errors == [.error("create \(folder): Not a directory")])
        let part = try bytes(of: key)
        #expect(part == Self.content)
    }

    // MARK: - Partial files

    @Test("A disk that fails at the beginning leaves no part")
    func fullAtBeginning() throws {
        try DiskFault.full.apply(to: directory.path)
        open(makeKey())
        try DiskFault.none.apply(to: directory.path)
        let parts = try names(directory.partial)
        #expect(parts == [])
        #expect(errors == [.error("write to \(directory.partial): No space left on device")])
        #expect(reports.all.count == 1)
    }

    @Test("After a piece that could not be written no later one is, and each is reported")
    func fullAtPiece() throws {
        let key = makeKey()
        open(key)
        append(key)
        try DiskFault.error.apply(to: directory.path)
        append(key)
        try DiskFault.none.apply(to: directory.path)
        append(key)
        finish(key)
        let part = try bytes(of: key)
        #expect(part == Self.content)
        #expect(errors == [.error("write to \(directory.partial): Input/output error")])
        #expect(reports.all.count == 5)
    }

    @Test("A file that arrived earlier is not opened again, and one of another counterpart is")
    func known() throws {
        let transfer = UUID()
        let arrived = ReceivedTransfer(
            identifier: transfer, peer: peer, kind: .file, payload: nil, path: "/f", receivedAt: Date())
        _ = try store.receive([arrived])
        open(makeKey(transfer))
        let none = try names(directory.partial)
        #expect(none == [])
        let other = FileKey(device: UUID(), transfer: transfer)
        open(other)
        let part = try bytes(of: other)
        #expect(part == Data())
        #expect(reports.all.count == 2)
    }

    @Test("Pieces of a closed part are not written, and those of another device's are")
    func closed() throws {
        let (first, second) = (makeKey(), FileKey(device: UUID(), transfer: UUID()))
        for key in [first, second] {
            open(key)
            append(key, Data([1]))
        }
        files.closeParts(of: peer)
        for key in [first, second] { append(key, Data([2])) }
        let parts = try [first, second].map { try bytes(of: $0) }
        #expect(parts == [Data([1]), Data([1, 2])])
        files.closePart(second)
        append(second, Data([3]))
        let closed = try bytes(of: second)
        #expect(closed == Data([1, 2]))
    }

    @Test("A part that is removed is gone, with what its pieces would add; removing it again is no error")
    func removed() throws {
        let (gone, kept) = (makeKey(), makeKey())
        for key in [gone, kept] { open(key) }
        for _ in 1...2 { files.removePart(gone, from: peer) }
        append(gone)
        append(kept)
        let parts = try [gone, kept].map { try bytes(of: $0) }
        #expect(parts == [nil, Self.content])
        #expect(errors == [])
    }

    @Test("A complete file is removed with its directory, and no other is")
    func removedFile() throws {
        let keys = [makeKey(), makeKey()]
        for key in keys {
            open(key)
            finish(key)
        }
        for _ in 1...2 { files.removeFile(directory.inbox + "/" + keys[0].transfer.uuidString + "/f") }
        settle()
        let left = try names(directory.inbox)
        #expect(left == [keys[1].transfer.uuidString])
        #expect(errors == [])
    }

    // MARK: - Limits

    @Test(
        "Of the parts of one counterpart, the sixteenth is one too many for another: the oldest goes",
        arguments: [15, 16])
    func oldest(_ count: Int) throws {
        let ofOther = try makePart(of: UUID(), age: 10_000)
        let paths = try (1...count).map { try makePart(of: peer, age: Double($0) * 60) }
        let key = makeKey()
        open(key)
        let left = paths.filter(exists)
        let expected = count < Self.limit ? paths : Array(paths.dropLast())
        #expect(left == expected)
        #expect(exists(ofOther))
        let part = try bytes(of: key)
        #expect(part == Data())
    }

    @Test("A part that is being written is not removed for another, however old it is")
    func underWay() throws {
        let key = makeKey()
        open(key)
        let written = directory.partial(key.transfer, from: peer)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -100_000)], ofItemAtPath: written)
        let paths = try (1..<Self.limit).map { try makePart(of: peer, age: Double($0) * 60) }
        open(makeKey())
        #expect(exists(written))
        let left = paths.filter(exists)
        #expect(left == Array(paths.dropLast()))
    }

    @Test("At the start parts of more than a week and files without a record are removed, and nothing else")
    func cleaned() throws {
        let week: TimeInterval = 7 * 24 * 60 * 60
        let young = try makePart(of: peer, age: week - 60)
        let old = try makePart(of: peer, age: week + 60)
        let folders = ["recorded", "unrecorded"].map { directory.inbox + "/" + $0 }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
        files.clean(keeping: [folders[0]])
        settle()
        #expect(exists(young))
        #expect(!exists(old))
        let left = try names(directory.inbox)
        #expect(left == ["recorded"])
        #expect(errors == [])
    }

    @Test("A directory that cannot be cleaned is logged")
    func uncleanable() throws {
        try FileManager.default.removeItem(atPath: directory.partial)
        files.clean(keeping: [])
        settle()
        #expect(errors.count == 1)
    }
}
