import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import QuizSync
@testable import RecordStorage
@testable import SessionStorage
@testable import Storage

@Suite("Maintenance of databases")
struct MaintenanceTests {
    private let scratch: Scratch
    private let store: SQLiteRecordStore
    private let path: String
    private static let device = UUID()

    init() throws {
        scratch = try Scratch()
        path = scratch.path("quizzes.sqlite")
        store = try SQLiteRecordStore(kind: .quizzes, path: path)
    }

    private func quiz(_ number: Int) -> Record {
        Record(
            identifier: UUID(), device: Self.device, title: "Quiz \(number)", takenAt: Date(), answerCount: 1,
            gradePointAverage: 3, archive: Data(repeating: UInt8(number & 0xFF), count: 2_000))
    }

    private func fill(_ count: Int, at time: Date = Date()) throws {
        _ = try store.insert((0..<count).map(quiz), receivedAt: time)
    }

    private func titles(_ store: SQLiteRecordStore) throws -> [String] {
        try store.records(after: .start, limit: 1_000).map(\.record.title)
    }

    @Test("While many rows are inserted together the cache and the log are larger, and then as before")
    func manyRows() throws {
        func settings() throws -> [Int64] {
            try store.file.use { database throws(DatabaseError) in
                [try database.number("PRAGMA cache_size"), try database.number("PRAGMA wal_autocheckpoint")]
            }
        }
        try fill(1)
        let usual = try settings()
        try fill(4_000)
        let many = try settings()
        try fill(3_999)
        let after = try settings()
        #expect(usual == [-16_384, 4_000])
        #expect(many == [-32_768, 16_000])
        #expect(after == usual)
    }

    @Test("A backup is complete, one file, and independent; the database stays in use meanwhile")
    func backup() throws {
        try fill(100)
        let copy = scratch.path("backup.sqlite")
        let bytes = try store.backUp(to: copy) { _, _ in }
        #expect(bytes > 200_000)
        let backups = try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter {
            $0.hasPrefix("backup")
        }
        #expect(backups == ["backup.sqlite"])
        try fill(1)
        let problems = try DatabaseCheck.problems(in: copy)
        #expect(problems.isEmpty)
        let copied = try titles(try SQLiteRecordStore(kind: .quizzes, path: copy)).count
        #expect(copied == 100)
        let rows = try store.count()
        #expect(rows == 101)
    }

    @Test("A check tells how far it is, never more than all, and finds nothing in a sound file")
    func checkProgress() throws {
        try fill(4_000)
        let parts = Collector<[Int]>()
        let problems = try store.problems { parts.add([$0, $1]) }
        #expect(problems.isEmpty)
        let pages = parts.all.map { $0[0] }
        #expect(pages.count > 2, "\(pages)")
        #expect(pages == pages.sorted(), "\(pages)")
        #expect(parts.all.allSatisfy { $0[0] > 0 && $0[0] <= $0[1] && $0[1] == parts.all[0][1] }, "\(parts.all)")
    }

    @Test("A backup is of the moment at which it began, however much is stored meanwhile")
    func backupOfOneMoment() throws {
        try fill(2_000)
        let copy = scratch.path("backup.sqlite")
        let pieces = Collector<Int>()
        _ = try store.backUp(to: copy) { done, _ in
            pieces.add(done)
            #expect(throws: Never.self) { try fill(1) }
        }
        // Nor does it restart with each change.
        #expect(pieces.all.count > 2, "\(pieces.all)")
        #expect(pieces.all == pieces.all.sorted(), "\(pieces.all)")
        let copied = try SQLiteRecordStore(kind: .quizzes, path: copy).count()
        #expect(copied == 2_000)
        let rows = try store.count()
        #expect(rows == 2_000 + pieces.all.count)
    }

    @Test("A backup that cannot be written leaves nothing behind")
    func failedBackup() throws {
        try fill(1)
        #expect(throws: StoreError.self) { try store.backUp(to: "/nonexistent/backup.sqlite") { _, _ in } }
        #expect(throws: DatabaseError.self) {
            try DatabaseBackup.copy(scratch.path("none.sqlite"), to: scratch.path("x"))
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none.sqlite")))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("x.unfinished")))
    }

    @Test("A database of a newer version is neither copied, checked nor compacted")
    func newer() throws {
        _ = try Database(path: path, migrations: Migrations(Array(repeating: "SELECT 1", count: 50)))
        let copy = scratch.path("backup.sqlite")
        let uses: [() throws -> Void] = [
            { try store.look() }, { _ = try store.backUp(to: copy) { _, _ in } }, { _ = try store.problems() },
            { _ = try store.compact(isAlone: true) { _, _ in } }, { _ = try store.ages(before: Date()) },
        ]
        for use in uses {
            let error = #expect(throws: StoreError.self) { try use() }
            let text = error?.description ?? ""
            #expect(text.contains("version 50"), "\(text)")
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test("A restore installs the copy and keeps the previous database; a damaged copy changes nothing")
    func restore() throws {
        try fill(3)
        let copy = scratch.path("backup.sqlite")
        _ = try store.backUp(to: copy) { _, _ in }
        let target = scratch.path("other.sqlite")
        _ = try SQLiteRecordStore(kind: .quizzes, path: target).insert([quiz(9)], receivedAt: Date())
        let former = try #require(try SQLiteRecordStore(kind: .quizzes, path: target).restore(from: copy, at: Date()))
        let restored = try titles(try SQLiteRecordStore(kind: .quizzes, path: target))
        #expect(restored == ["Quiz 0", "Quiz 1", "Quiz 2"])
        let kept = try titles(try SQLiteRecordStore(kind: .quizzes, path: former))
        #expect(kept == ["Quiz 9"])

        var damaged = try Data(contentsOf: URL(filePath: copy))
        damaged.replaceSubrange(4_096..<6_000, with: Data(repeating: 0xFF, count: 1_904))
        try damaged.write(to: URL(filePath: scratch.path("damaged.sqlite")))
        #expect(throws: StoreError.self) {
            try SQLiteRecordStore(kind: .quizzes, path: target).restore(
                from: scratch.path("damaged.sqlite"), at: Date())
        }
        let unchanged = try titles(try SQLiteRecordStore(kind: .quizzes, path: target))
        #expect(unchanged == ["Quiz 0", "Quiz 1", "Quiz 2"])
    }

    @Test("Compacting releases the space of deleted quizzes")
    func compact() throws {
        try fill(500)
        for stored in try store.records(after: .start, limit: 450) {
            _ = try store.delete(RecordKey(stored.record.key.identifier, device: Self.device), deletedAt: Date())
        }
        let (before, after) = try store.compact(isAlone: false) { _, _ in }
        #expect(after < before / 2)
        let rows = try store.count()
        #expect(rows == 50)
        let problems = try store.problems()
        #expect(problems.isEmpty)
    }

    @Test("Space is released in small steps, and others can use the database in between")
    func compactInPieces() throws {
        try fill(2_000)
        let expired = try store.expire(receivedBefore: nil, keeping: 50, limit: 5_000).count
        #expect(expired == 1_950)
        let pieces = Collector<Int>()
        let (before, after) = try store.compact(isAlone: false) { done, _ in
            pieces.add(done)
            #expect(throws: Never.self) { try fill(1) }
        }
        #expect(pieces.all.count > 2, "\(pieces.all)")
        #expect(pieces.all == pieces.all.sorted(), "\(pieces.all)")
        #expect(after < before / 2)
    }

    @Test("What a step has released is in the file before the next one: no user's commit must write it there")
    func compactedFileInPieces() throws {
        try fill(2_000)
        _ = try store.expire(receivedBefore: nil, keeping: 50, limit: 5_000)
        let sizes = Collector<Int>()
        _ = try store.compact(isAlone: false) { _, _ in
            #expect(throws: Never.self) { sizes.add(try bytes()) }
        }
        #expect(sizes.all.count > 2)
        #expect(sizes.all == Set(sizes.all).sorted(by: >), "\(sizes.all)")
    }

    /// Makes the database one whose space cannot be freed a few pages at a time, as an earlier version made it.
    private func makeFormer() throws {
        try store.file.use { database throws(DatabaseError) in
            try database.execute("PRAGMA auto_vacuum = NONE")
            try database.execute("VACUUM")
        }
        store.close()
    }

    private func freesInPieces() throws -> Bool {
        try store.file.use { database throws(DatabaseError) in try database.number("PRAGMA auto_vacuum") == 2 }
    }

    @Test("A small database of an earlier version is compacted at once, also in use, and from then on in pieces")
    func compactFormer() throws {
        try fill(500)
        try makeFormer()
        _ = try store.expire(receivedBefore: nil, keeping: 50, limit: 1_000)
        let early = try freesInPieces()
        #expect(!early)
        let pieces = Collector<Int>()
        let (before, after) = try store.compact(isAlone: false) { done, _ in pieces.add(done) }
        #expect(after < before / 2)
        #expect(pieces.all == [])
        let late = try freesInPieces()
        #expect(late)
        let rows = try store.count()
        #expect(rows == 50)
    }

    @Test("A large database of an earlier version is only compacted alone")
    func compactLargeFormer() throws {
        try fill(1)
        try makeFormer()
        try store.file.use { database throws(DatabaseError) in
            try database.execute("CREATE TABLE large (content BLOB)")
            try database.execute("INSERT INTO large VALUES (zeroblob(33554432))")
        }
        let error = #expect(throws: StoreError.self) { _ = try store.compact(isAlone: false) { _, _ in } }
        #expect(error?.kind == .unavailable)
        #expect(error?.description.contains("stop the host, then vacuum (SQLite 5)") == true)
        let early = try freesInPieces()
        #expect(!early)
        _ = try store.compact(isAlone: true) { _, _ in }
        let late = try freesInPieces()
        #expect(late)
    }

    @Test("Compacting ends when more space becomes free meanwhile than it releases")
    func compactWhileOthersDelete() throws {
        try fill(2_000)
        let expired = try store.expire(receivedBefore: nil, keeping: 1_000, limit: 5_000).count
        #expect(expired == 1_000)
        let pieces = Collector<Int>()
        _ = try store.compact(isAlone: false) { done, _ in
            pieces.add(done)
            guard pieces.all.count == 1 else { return }
            #expect(throws: Never.self) { _ = try store.expire(receivedBefore: nil, keeping: 0, limit: 5_000) }
        }
        #expect(pieces.all.count == 2, "\(pieces.all)")
        let rows = try store.count()
        #expect(rows == 0)
    }

    @Test("Expired quizzes, and those beyond the maximum, are removed in batches, the oldest first")
    func expiry() throws {
        let now = Date()
        try fill(10, at: now - 1_000)
        try fill(10, at: now)
        let none = try store.expire(receivedBefore: nil, keeping: nil, limit: 100)
        #expect(none.isEmpty)
        let few = try store.expire(receivedBefore: now - 500, keeping: nil, limit: 4).count
        #expect(few == 4)
        let rest = try store.expire(receivedBefore: now - 500, keeping: nil, limit: 100).count
        #expect(rest == 6)
        let left = try store.count()
        #expect(left == 10)
        let latest = try store.latestRecords(limit: 3).map(\.record.key.identifier)
        let beyond = try store.expire(receivedBefore: nil, keeping: 3, limit: 100).count
        #expect(beyond == 7)
        let kept = try store.latestRecords(limit: 10).map(\.record.key.identifier)
        #expect(kept == latest)
    }

    @Test("A pairing code's hash and its attempts survive; there is at most one")
    func pairing() throws {
        let session = SessionStore(path: scratch.path("session.sqlite"))
        let first = try session.pairingCode()
        #expect(first == nil)
        try session.keep(PairingCode(hash: "old"))
        var code = PairingCode(hash: "new")
        let spent = (0...PairingCode.attempts).map { _ in code.spendAttempt() }
        #expect(spent.count { $0 } == PairingCode.attempts)
        #expect(spent.last == false)
        try session.keep(code)
        let kept = try SessionStore(path: scratch.path("session.sqlite")).pairingCode()
        #expect(kept == code)
        try session.keep(nil)
        let last = try session.pairingCode()
        #expect(last == nil)
    }

    /// The bytes of the database file, or of the one beside it with a suffix.
    private func bytes(_ suffix: String = "") throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path + suffix)[.size] as? Int)
    }

    @Test("After compacting, the file has the size that is told, and its log is empty; again there is nothing to do")
    func compactedFile() throws {
        try fill(500)
        _ = try store.expire(receivedBefore: nil, keeping: 50, limit: 1_000)
        let (_, after) = try store.compact(isAlone: false) { _, _ in }
        let sizes = try [bytes(), bytes("-wal")]
        #expect(sizes == [Int(after), 0])
        let pieces = Collector<Int>()
        let (before, same) = try store.compact(isAlone: false) { done, _ in pieces.add(done) }
        #expect(before == after)
        #expect(same == after)
        #expect(pieces.all == [])
    }

    @Test("Of the space that is free, each step tells how much is released, up to all of it")
    func steps() throws {
        try fill(2_000)
        _ = try store.expire(receivedBefore: nil, keeping: 0, limit: 5_000)
        let free = try store.file.use { database throws(DatabaseError) in
            try database.number("PRAGMA freelist_count")
        }
        let (done, totals) = (Collector<Int>(), Collector<Int>())
        _ = try store.compact(isAlone: false) { some, total in
            done.add(some)
            totals.add(total)
        }
        #expect(Set(totals.all) == [Int(free)])
        #expect(done.all.last == Int(free))
        #expect(done.all.first.map { (1..<Int(free)).contains($0) } == true)
    }

    @Test("A database of an earlier version of exactly 32 MiB is compacted in use")
    func compactExactFormer() throws {
        try fill(1)
        try makeFormer()
        let pages = try store.file.use { database throws(DatabaseError) in
            try database.execute("CREATE TABLE large (content BLOB)")
            let used = try database.number("PRAGMA page_count")
            // One row with as many overflow pages of 4,092 bytes as are missing; the rest of it is on a page that is
            // there already.
            try database.execute("INSERT INTO large VALUES (zeroblob(\(1_489 + 4_092 * (8_192 - used))))")
            return try database.number("PRAGMA page_count")
        }
        #expect(pages == 8_192)
        _ = try store.compact(isAlone: false) { _, _ in }
        let late = try freesInPieces()
        #expect(late)
    }

    @Test("Compacting on a full disk is an error, and works as soon as there is room", arguments: [false, true])
    func fullDisk(_ isFormer: Bool) throws {
        try fill(500)
        if isFormer { try makeFormer() }
        _ = try store.expire(receivedBefore: nil, keeping: 50, limit: 1_000)
        try DiskFault.full.apply(to: scratch.path)
        let error = #expect(throws: StoreError.self) { _ = try store.compact(isAlone: false) { _, _ in } }
        try DiskFault.none.apply(to: scratch.path)
        let operation = isFormer ? "cannot run “VACUUM” on" : "cannot run “PRAGMA incremental_vacuum(16)” on"
        #expect(error?.description.hasPrefix(operation) == true)
        let (before, after) = try store.compact(isAlone: false) { _, _ in }
        #expect(after < before / 2)
    }
}
