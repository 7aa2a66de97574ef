import Foundation
import TestSupport
import Testing

@testable import RecordStorage

@Suite("The migration between two stores")
struct RecordMigrationTests {
    private let scratch: Scratch
    private let source: SQLiteRecordStore
    private let target: SQLiteRecordStore
    private let device = UUID()

    init() throws {
        scratch = try Scratch()
        let kind = RecordKind(name: "step", plural: "steps", columns: [RecordColumn("count", .integer)])
        source = try SQLiteRecordStore(kind: kind, path: scratch.path("source.sqlite"))
        target = try SQLiteRecordStore(kind: kind, path: scratch.path("target.sqlite"))
    }

    private func time(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(1_760_000_000 + number)) }

    private func key(_ number: Int) -> RecordKey {
        var bytes: uuid_t = (1, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            (bytes[14], bytes[15]) = (UInt8(number >> 8), UInt8(truncatingIfNeeded: number))
        }
        return RecordKey(UUID(uuid: bytes), device: device)
    }

    private func record(_ number: Int, _ content: String = "as received") -> Record {
        Record(key: key(number), values: [.integer(Int64(number))], archive: Data("\(number) \(content)".utf8))
    }

    private func insert(_ numbers: ClosedRange<Int>, into store: SQLiteRecordStore) throws {
        for number in numbers { _ = try store.insert([record(number)], receivedAt: time(number)) }
    }

    private func migrate(
        _ progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws -> RecordMigrationReport {
        var migration = RecordMigration(from: source, to: target, progress: progress)
        return try migration.run()
    }

    /// The records without what differs between stores: cursor and sequence number.
    private func content(_ store: SQLiteRecordStore) throws -> [String] {
        var (rows, last): ([String], RecordCursor) = ([], .start)
        while true {
            let page = try store.records(after: last, limit: 400)
            guard let end = page.last?.cursor else { return rows.sorted() }
            for row in page {
                let received = try store.receivedArchive(row.record.key).map { String(decoding: $0, as: UTF8.self) }
                rows.append(
                    "\(row.record.key) \(row.record.values) \(String(decoding: row.record.archive, as: UTF8.self)) "
                        + "\(received ?? "none") \(row.receivedAt) \(String(describing: row.updatedAt))")
            }
            last = end
        }
    }

    @Test("Records are copied with their times, changes and archives as received, and deletions with their traces")
    func everything() throws {
        try insert(1...620, into: source)
        #expect(try source.update(record(7, "changed"), updatedAt: time(1_000)))
        #expect(try source.update(record(7, "changed twice"), updatedAt: time(1_001)))
        for number in [9, 610] { #expect(try source.delete(key(number), deletedAt: time(1_002))) }
        let report = try migrate()
        var expected = RecordMigrationReport()
        (expected.copied, expected.deleted, expected.verified) = (618, 2, 618)
        (expected.inSource, expected.inTarget) = (618, 618)
        #expect(report == expected)
        #expect(report.isComplete)
        let (copied, original) = try (content(target), content(source))
        #expect(copied == original)
        let traces = try target.deletions(after: nil, limit: 10)
        #expect(traces == [9, 610].map { RecordDeletion(key($0), deletedAt: time(1_002)) })
        let late = try target.insert([record(9), record(7)], receivedAt: time(2_000))
        #expect(late == [.repeated, .repeated])
    }

    @Test("A migration that was interrupted, and one that is done, go on with what is missing")
    func again() throws {
        try insert(1...700, into: source)
        _ = try source.update(record(3, "changed"), updatedAt: time(900))
        // As a kill between the insertion of a changed record and its change leaves it.
        try insert(1...510, into: target)
        let report = try migrate()
        #expect(report.copied == 190)
        #expect(report.present == 509)
        #expect(report.changed == 1)
        #expect(report.verified == 700)
        let (copied, original) = try (content(target), content(source))
        #expect(copied == original)
        let repeated = try migrate()
        #expect(repeated.copied + repeated.changed + repeated.deleted == 0)
        #expect(repeated.present == 700)
        #expect(repeated.verified == 700)
    }

    @Test("What arrives, is changed and is deleted while it runs is copied, too")
    func meanwhile() throws {
        try insert(1...1_200, into: source)
        var calls = 0
        let (source, target, deleted) = (source, target, key(2))
        let report = try migrate { done, total in
            calls += 1
            #expect(done <= total)
            // After the first pages of the copy, and in the middle of the verification.
            guard calls == 2 || calls == 4 else { return }
            do {
                _ = try source.insert([record(2_000 + calls)], receivedAt: time(2_000))
                #expect(try source.update(record(calls, "changed meanwhile"), updatedAt: time(3_000)))
                if calls == 2 { #expect(try source.delete(deleted, deletedAt: time(3_000))) }
            } catch {
                Issue.record(error)
            }
        }
        #expect(calls >= 6)
        #expect(report.isComplete, "\(report)")
        #expect(report.inSource == 1_201)
        let rest = try migrate()
        #expect(rest.isComplete, "\(rest)")
        let (copied, original) = try (content(target), content(source))
        #expect(copied == original)
        #expect(try target.deletions(after: nil, limit: 9).map(\.key) == [deleted])
    }

    @Test("A deletion in the target wins, and so does a later change there")
    func targetWins() throws {
        try insert(1...4, into: source)
        try insert(1...5, into: target)
        _ = try source.update(record(2, "changed first"), updatedAt: time(100))
        _ = try target.update(record(2, "changed later"), updatedAt: time(101))
        _ = try target.update(record(3, "changed only here"), updatedAt: time(102))
        _ = try target.delete(key(4), deletedAt: time(103))
        let before = try content(target)
        let report = try migrate()
        #expect(report.newerInTarget == 2)
        #expect(report.deletedInTarget == 1)
        #expect(report.onlyInTarget == 1)
        #expect(report.verified == 1)
        #expect(report.isComplete)
        let after = try content(target)
        #expect(after == before)
    }

    @Test("Other content under the same key is reported and kept, also if only its bytes differ from the digest")
    func conflicts() throws {
        try insert(1...3, into: source)
        _ = try target.insert([record(2, "another")], receivedAt: time(2))
        let report = try migrate()
        #expect(report.conflicts == [key(2)])
        #expect(!report.isComplete)
        #expect(report.verified == 2)
        let kept = try target.receivedArchive(key(2))
        #expect(kept == Data("2 another".utf8))
        #expect(try source.count() == 3)
    }

    @Test("A record that the target confirmed and lost is reported")
    func lost() throws {
        try insert(1...3, into: source)
        let (target, gone) = (target, time(2))
        let report = try migrate { done, _ in
            guard done == 3 else { return }
            do {
                _ = try target.expire(receivedBefore: gone, keeping: nil, limit: 10)
            } catch {
                Issue.record(error)
            }
        }
        #expect(report.unverified == 1)
        #expect(!report.isComplete)
        let healed = try migrate()
        #expect(healed.copied == 1)
        #expect(healed.isComplete)
    }
}
