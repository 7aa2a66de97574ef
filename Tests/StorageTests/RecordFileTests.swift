import Files
import Foundation
import TestSupport
import Testing

@testable import RecordStorage
@testable import Storage

@Suite("The files of records")
struct RecordFileTests {
    private let scratch: Scratch
    private let store: SQLiteRecordStore
    private let now = Date(timeIntervalSince1970: 1_760_000_000)
    private let content = Data("the places".utf8)

    private static let kind = RecordKind(name: "trip", plural: "trips", columns: [], keepsFiles: true)

    init() throws {
        scratch = try Scratch()
        store = try SQLiteRecordStore(kind: Self.kind, path: scratch.path("trips.sqlite"))
    }

    private func record(_ file: Data?) -> Record {
        Record(key: RecordKey(UUID(), device: UUID()), values: [], archive: Data([1]), file: file)
    }

    private func insert(_ records: [Record]) throws -> [InsertOutcome] { try store.insert(records, receivedAt: now) }

    @Test("A file is kept once, and a record shows which one it has")
    func kept() throws {
        let file = try store.keep(content, at: now)
        #expect(file == ContentDigest.of(content))
        #expect(try store.keep(content, at: now) == file)
        #expect(try insert([record(file), record(nil)]) == [.stored(sequence: 1), .stored(sequence: 2)])
        #expect(try store.records(after: .start, limit: 9).map(\.record.file) == [file, nil])
        #expect(try store.content(of: file) == content)
        #expect(try store.claim([file, Data([9])], at: now) == [file])
    }

    @Test("A record whose file is not here is not stored, and nothing of its batch")
    func missing() throws {
        let lacking = record(ContentDigest.of(content))
        #expect(throws: StoreError.self) { try insert([record(nil), lacking]) }
        #expect(try store.count() == 0)
        try store.keep(content, at: now)
        #expect(try insert([lacking]) == [.stored(sequence: 1)])
    }

    @Test("A file goes with the last record that has it: deleted here, deleted elsewhere, or expired")
    func removed() throws {
        let file = try store.keep(content, at: now)
        let records = (0..<3).map { _ in record(file) }
        _ = try insert(records)
        #expect(try store.delete(records[0].key, deletedAt: now))
        #expect(try store.delete([RecordDeletion(records[1].key, deletedAt: now)]) == 1)
        #expect(try store.content(of: file) == content)
        #expect(try store.expire(receivedBefore: nil, keeping: 0, limit: 9).count == 1)
        #expect(try store.content(of: file) == nil)
    }

    @Test("A file without a record is removed after a day, unless it is claimed again meanwhile")
    func unclaimed() throws {
        let (waiting, claimed) = (try store.keep(content, at: now), try store.keep(Data([7]), at: now))
        let used = try store.keep(Data([8]), at: now)
        _ = try insert([record(used)])
        #expect(try store.removeUnclaimedFiles(at: now + 86_000) == 0)
        #expect(try store.claim([claimed], at: now + 86_000) == [claimed])
        #expect(try store.removeUnclaimedFiles(at: now + 86_500) == 1)
        #expect(try store.content(of: waiting) == nil)
        #expect(try store.content(of: claimed) != nil)
        #expect(try store.content(of: used) != nil)
        // The next file removes the old ones as well.
        try store.keep(Data([9]), at: now + 300_000)
        #expect(try store.content(of: claimed) == nil)
    }

    @Test("A file above the limit is refused with the limit")
    func limit() throws {
        let large = Data(count: RecordFileLimits.fileBytes + 1)
        let error = #expect(throws: StoreError.self) { try store.keep(large, at: now) }
        #expect(error?.kind == .refused)
        #expect(error?.description.contains("the limit is 16777216") == true)
    }

    @Test("A database from before files gets their tables when it is opened, and keeps its records")
    func former() throws {
        let path = scratch.path("former.sqlite")
        let plain = RecordKind(name: "trip", plural: "trips", columns: [])
        let former = try SQLiteRecordStore(kind: plain, path: path)
        let old = record(nil)
        _ = try former.insert([old], receivedAt: now)
        #expect(!former.keepsFiles)
        #expect(throws: StoreError.self) { try former.keep(content, at: now) }
        former.close()
        let store = try SQLiteRecordStore(kind: Self.kind, path: path)
        let file = try store.keep(content, at: now)
        _ = try store.insert([record(file)], receivedAt: now)
        #expect(try store.records(after: .start, limit: 9).map(\.record.file) == [nil, file])
        #expect(try store.insert([old], receivedAt: now) == [.repeated])
        store.close()
        // A program that knows nothing of files still reads and writes it.
        let again = try SQLiteRecordStore(kind: plain, path: path)
        _ = try again.insert([record(nil)], receivedAt: now)
        #expect(try again.count() == 3)
    }

    @Test("A backup and a migration have the files, too")
    func copies() throws {
        let file = try store.keep(content, at: now)
        _ = try insert([record(file)])
        _ = try store.backUp(to: scratch.path("backup.sqlite")) { _, _ in }
        let backup = try SQLiteRecordStore(kind: Self.kind, path: scratch.path("backup.sqlite"))
        #expect(try backup.content(of: file) == content)
        let target = try SQLiteRecordStore(kind: Self.kind, path: scratch.path("target.sqlite"))
        var migration = RecordMigration(from: store, to: target) { _, _ in }
        let report = try migration.run()
        #expect(report.isComplete)
        #expect(try target.content(of: file) == content)
        #expect(try target.records(after: .start, limit: 9).map(\.record.file) == [file])
        let none = try SQLiteRecordStore(
            kind: RecordKind(name: "trip", plural: "trips", columns: []), path: scratch.path("none.sqlite"))
        var impossible = RecordMigration(from: store, to: none) { _, _ in }
        #expect(throws: StoreError.self) { try impossible.run() }
        #expect(try none.count() == 0)
    }
}
