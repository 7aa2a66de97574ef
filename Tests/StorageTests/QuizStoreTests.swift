import Foundation
import LinkProtocol
import SessionStorage
import TestSupport
import Testing

@testable import QuizSync
@testable import RecordStorage
@testable import Storage

func quiz(
    _ identifier: UUID = UUID(), device: UUID = UUID(), title: String = "t", average: Double = 3.5,
    archive: Data = Data([1])
) -> Record {
    Record(
        identifier: identifier, device: device, title: title, takenAt: Date(timeIntervalSince1970: 1000.5),
        answerCount: 2,
        gradePointAverage: average, archive: archive)
}

private let now = Date(timeIntervalSince1970: 2000)

@Suite("Quiz store")
struct QuizStoreTests {
    /// Lives as long as the suite's instance, of which each test has its own.
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("Stored quizzes are read back, in the order of arrival, also by another connection")
    func stored() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let quizzes = (0..<10).map { quiz(title: "Quiz \($0) 🥦") }
        let outcomes = try store.insert(quizzes, receivedAt: now)
        #expect(outcomes == (1...10).map { .stored(sequence: $0) })
        let again = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let rows = try again.count()
        #expect(rows == 10)
        let contents = try again.records(after: .start, limit: 100).map(\.record)
        #expect(contents == quizzes)
        let page = try again.records(after: RecordCursor(rawValue: "3"), limit: 2).map(\.sequence)
        #expect(page == [4, 5])
        let latest = try again.latestRecords(limit: 2).map(\.sequence)
        #expect(latest == [10, 9])
        let one = try again.records(identifier: quizzes[4].identifier).map(\.record)
        #expect(one == [quizzes[4]])
        let time = try again.records(identifier: quizzes[4].identifier).first?.receivedAt
        #expect(time == now)
    }

    @Test("Quizzes of several times are stored together, each with its own time, or none is")
    func times() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let times = (0..<5).map { now + Double($0) }
        _ = try store.count()
        let person = try Database(path: scratch.path("db.sqlite"), migrations: nil)
        try person.execute(
            """
            CREATE TRIGGER refusal BEFORE INSERT ON quizzes WHEN new.title = 'refused' BEGIN
                SELECT raise(ABORT, 'refused');
            END
            """)
        #expect(throws: StoreError.self) {
            try store.insert(
                times.map { RecordArrival(quiz(title: $0 == times[4] ? "refused" : "stored"), receivedAt: $0) })
        }
        let none = try store.records(after: .start, limit: 10).map(\.receivedAt)
        #expect(none == [])
        _ = try store.insert(times.map { RecordArrival(quiz(), receivedAt: $0) })
        let received = try store.records(after: .start, limit: 10).map(\.receivedAt)
        #expect(received == times)
    }

    @Test("A page of large quizzes ends when it holds a mebibyte, and the next continues after it")
    func pages() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let large = Data(repeating: 7, count: 600_000)
        _ = try store.insert((0..<5).map { quiz(title: "\($0)", archive: large) }, receivedAt: now)
        let first = try store.records(after: .start, limit: 500).map(\.sequence)
        #expect(first == [1, 2])
        let second = try store.records(after: RecordCursor(rawValue: "2"), limit: 500).map(\.sequence)
        #expect(second == [3, 4])
        let third = try store.records(after: RecordCursor(rawValue: "4"), limit: 500).map(\.sequence)
        #expect(third == [5])
    }

    @Test("A page that holds exactly a mebibyte is full, and one with a byte less is not")
    func fullPage() throws {
        let half = 524_288
        for (directory, bytes, page) in [("exact", half, [1, 2]), ("less", half - 1, [1, 2, 3])] {
            let path = scratch.path(directory + ".sqlite")
            let store = try SQLiteRecordStore(kind: .quizzes, path: path)
            let archives = [half, bytes, 1, 1].map { Data(repeating: 7, count: $0) }
            _ = try store.insert(archives.map { quiz(archive: $0) }, receivedAt: now)
            let sequences = try store.records(after: .start, limit: 3).map(\.sequence)
            #expect(sequences == page.map { Int64($0) }, "\(bytes)")
        }
    }

    @Test("A limit of zero and a page after the last quiz are empty")
    func emptyPages() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let nothing = try store.latestRecords(limit: 5).count
        #expect(nothing == 0)
        _ = try store.insert([quiz(), quiz()], receivedAt: now)
        let counts = [
            try store.records(after: .start, limit: 0).count, try store.latestRecords(limit: 0).count,
            try store.records(after: RecordCursor(rawValue: "2"), limit: 5).count,
            try store.records(after: RecordCursor(rawValue: "1"), limit: 5).count,
            try store.records(identifier: UUID()).count,
        ]
        #expect(counts == [0, 0, 0, 1, 0])
    }

    @Test("The values of a quiz are stored: times to the millisecond, numbers, empty and large bytes")
    func values() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let quizzes = [
            Record(
                identifier: UUID(), device: UUID(), title: "", takenAt: Date(timeIntervalSince1970: 0), answerCount: 0,
                gradePointAverage: 0, archive: Data()),
            Record(
                identifier: UUID(), device: UUID(), title: "Grüße 🥦\n'\"",
                takenAt: Date(timeIntervalSince1970: 1000.25), answerCount: .max, gradePointAverage: 3.999,
                archive: Data((0...255).map { UInt8($0) })),
        ]
        let times = [now, now + 0.5]
        _ = try store.insert(zip(quizzes, times).map { RecordArrival($0, receivedAt: $1) })
        let rows = try store.records(after: .start, limit: 5)
        let expected = zip(quizzes, times).enumerated().map { index, pair in
            StoredRecord(
                cursor: RecordCursor(rawValue: "\(index + 1)"), sequence: Int64(index + 1), record: pair.0,
                receivedAt: pair.1, updatedAt: nil)
        }
        #expect(rows == expected)
    }

    @Test("Changes and deletions concern the quiz of one device only")
    func devices() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let identifier = UUID()
        let (mine, other, late) = (quiz(identifier), quiz(identifier), quiz(identifier))
        _ = try store.insert([mine, other], receivedAt: now)
        let changed = quiz(identifier, device: mine.device, title: "changed", archive: Data([9]))
        let isUpdated = try store.update(changed, updatedAt: now + 1)
        #expect(isUpdated)
        let contents = try store.records(identifier: identifier).map(\.record)
        #expect(contents == [changed, other])
        let updates = try store.records(identifier: identifier).map(\.updatedAt)
        #expect(updates == [now + 1, nil])
        let isStrangerDeleted = try store.delete(RecordKey(identifier, device: late.device), deletedAt: now)
        #expect(!isStrangerDeleted)
        let isDeleted = try store.delete(RecordKey(identifier, device: mine.device), deletedAt: now)
        #expect(isDeleted)
        let left = try store.records(identifier: identifier).map(\.record)
        #expect(left == [other])
        let outcomes = try store.insert([mine, changed, other, late], receivedAt: now)
        #expect(outcomes == [.repeated, .repeated, .repeated, .stored(sequence: 3)])
    }

    @Test("The archive as received is known, however often the quiz is changed, and of no other quiz")
    func receivedArchive() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let first = quiz()
        _ = try store.insert([first], receivedAt: now)
        let unchanged = try store.receivedArchive(RecordKey(first.identifier, device: first.device))
        #expect(unchanged == Data([1]))
        for archive in [Data([2]), Data([3])] {
            _ = try store.update(quiz(first.identifier, device: first.device, archive: archive), updatedAt: now)
            let received = try store.receivedArchive(RecordKey(first.identifier, device: first.device))
            #expect(received == Data([1]))
        }
        let elsewhere = try store.receivedArchive(RecordKey(first.identifier, device: UUID()))
        #expect(elsewhere == nil)
        let unknown = try store.receivedArchive(RecordKey(UUID(), device: first.device))
        #expect(unknown == nil)
    }

    @Test(
        "Quizzes expire that arrived before the time, not at it, and those beyond the number that is kept",
        arguments: [
            (0, nil, 9, 0), (0.001, nil, 9, 1), (1, nil, 9, 1), (9, nil, 9, 5), (9, nil, 2, 2), (9, nil, 0, 0),
            (nil, 6, 9, 0), (nil, 5, 9, 0), (nil, 4, 9, 1), (nil, 1, 9, 4), (nil, 0, 9, 5), (nil, 0, 4, 4),
            (1, 3, 9, 2), (3, 4, 9, 3), (0, 5, 9, 0), (nil, nil, 9, 0),
        ] as [(Double?, Int?, Int, Int)])
    func expiry(_ seconds: Double?, _ kept: Int?, _ limit: Int, _ expected: Int) throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let quizzes = (0..<5).map { _ in quiz() }
        _ = try store.insert(
            quizzes.enumerated().map { index, quiz in RecordArrival(quiz, receivedAt: now + Double(index)) })
        let expired = try store.expire(receivedBefore: seconds.map { now + $0 }, keeping: kept, limit: limit)
        #expect(Set(expired.map(\.identifier)) == Set(quizzes.prefix(expected).map(\.identifier)))
        #expect(Set(expired.map(\.device)) == Set(quizzes.prefix(expected).map(\.device)))
        let left = try store.records(after: .start, limit: 9).map(\.record)
        #expect(left == Array(quizzes.dropFirst(expected)))
        // Without a record: a late repeat of an expired quiz is stored again.
        let again = try store.insert(quizzes, receivedAt: now)
        let repeats = again.filter { $0 == .repeated }.count
        #expect(repeats == 5 - expected)
    }

    @Test("Ages count the quizzes that arrived before a time, not at it, and know the latest arrival")
    func ages() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let none = try store.ages(before: now)
        #expect(none == RecordAges(total: 0, older: 0, newest: nil))
        // The latest arrival is not the last row.
        _ = try store.insert([1, 2, 0].map { RecordArrival(quiz(), receivedAt: now + $0) })
        let older = try [0, 0.001, 1, 2, 2.001].map { try store.ages(before: now + $0).older }
        #expect(older == [0, 1, 1, 2, 3])
        let ages = try store.ages(before: now + 1)
        #expect(ages == RecordAges(total: 3, older: 1, newest: now + 2))
    }

    @Test("More devices than the store remembers keep their quizzes apart")
    func manyDevices() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let identifier = UUID()
        let quizzes = (0..<1_002).map { _ in quiz(identifier) }
        let first = try store.insert(quizzes, receivedAt: now)
        #expect(first == (1...1_002).map { .stored(sequence: $0) })
        let again = try store.insert(quizzes, receivedAt: now)
        #expect(again.filter { $0 != .repeated } == [])
        let devices = try store.records(identifier: identifier).map(\.record.key.device)
        #expect(devices == quizzes.map(\.device))
    }

    @Test("Rows of other programs without a valid identifier are skipped, and expire with the others")
    func invalidRows() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let first = quiz()
        _ = try store.insert([first], receivedAt: now)
        try store.file.use { database throws(DatabaseError) in
            for (sequence, identifier) in [(7, "x''"), (8, "zeroblob(15)"), (9, "zeroblob(17)")] {
                try database.execute(
                    "INSERT INTO quizzes SELECT \(sequence), \(identifier), device, title, taken_at, answer_count, "
                        + "grade_point_average, archive, NULL, received_at, NULL FROM quizzes WHERE sequence = 1")
            }
        }
        let rows = try store.records(after: .start, limit: 9).map(\.record)
        #expect(rows == [first])
        let count = try store.count()
        #expect(count == 4)
        let expired = try store.expire(receivedBefore: nil, keeping: 0, limit: 9).map(\.identifier)
        #expect(expired == [first.identifier])
        let left = try store.count()
        #expect(left == 0)
    }

    @Test("A repeat is answered as stored, other content is a conflict, another device is another quiz")
    func repeats() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let first = quiz()
        let other = quiz(first.identifier, device: first.device, archive: Data([2]))
        let elsewhere = quiz(first.identifier, archive: Data([2]))
        let outcomes = try store.insert([first, first, other, elsewhere], receivedAt: now)
        #expect(outcomes.prefix(3) == [.stored(sequence: 1), .repeated, .conflict])
        guard case .stored(let sequence) = outcomes[3] else { return #expect(Bool(false), "\(outcomes)") }
        #expect(sequence > 1)
        let rows = try store.count()
        #expect(rows == 2)
    }

    @Test("A quiz changed here still recognises its repeat")
    func update() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let first = quiz()
        _ = try store.insert([first], receivedAt: now)
        let changed = quiz(first.identifier, device: first.device, title: "changed", archive: Data([9]))
        let isUpdated = try store.update(changed, updatedAt: now)
        #expect(isUpdated)
        let content = try store.records(identifier: first.identifier).first?.record
        #expect(content == changed)
        let updatedAt = try store.records(identifier: first.identifier).first?.updatedAt
        #expect(updatedAt == now)
        let repeated = try store.insert([first], receivedAt: now)
        #expect(repeated == [.repeated])
        let conflict = try store.insert([changed], receivedAt: now)
        #expect(conflict == [.conflict])
        let isStrangerUpdated = try store.update(quiz(), updatedAt: now)
        #expect(!isStrangerUpdated)
    }

    @Test("A deleted quiz stays deleted when its repeat arrives late")
    func delete() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        let first = quiz()
        _ = try store.insert([first], receivedAt: now)
        let isDeleted = try store.delete(RecordKey(first.identifier, device: first.device), deletedAt: now)
        #expect(isDeleted)
        let isDeletedAgain = try store.delete(RecordKey(first.identifier, device: first.device), deletedAt: now)
        #expect(!isDeletedAgain)
        let repeated = try store.insert([first], receivedAt: now)
        #expect(repeated == [.repeated])
        let rows = try store.count()
        #expect(rows == 0)
        let outcomes = try store.insert([first, quiz()], receivedAt: now)
        #expect(outcomes == [.repeated, .stored(sequence: 2)])
    }

    @Test("Changes of the file by others between two insertions are seen by the second one")
    func betweenInsertions() throws {
        let (store, other) = (
            try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite")),
            try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        )
        let (device, late) = (UUID(), quiz())
        let first = try store.insert([quiz(device: device)], receivedAt: now)
        #expect(first == [.stored(sequence: 1)])
        let both = try other.insert([late, quiz(device: device)], receivedAt: now)
        #expect(both == (2...3).map { .stored(sequence: $0) })
        let isDeleted = try other.delete(RecordKey(late.identifier, device: late.device), deletedAt: now)
        #expect(isDeleted)
        let repeated = try store.insert([late, quiz(device: late.device)], receivedAt: now)
        #expect(repeated == [.repeated, .stored(sequence: 4)])
        // The last one is removed without a trace, and the file is reopened: its number is not reused.
        let expired = try other.expire(receivedBefore: nil, keeping: 0, limit: 10).count
        #expect(expired == 3)
        other.close()
        store.close()
        let last = try store.insert([quiz(device: device)], receivedAt: now)
        #expect(last == [.stored(sequence: 5)])
        let sequences = try other.records(after: .start, limit: 10).map(\.sequence)
        #expect(sequences == [5])
    }

    @Test("Several threads insert in parallel, each quiz once")
    func concurrent() async throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<25 { _ = try store.insert([quiz()], receivedAt: now) } }
            }
            try await group.waitForAll()
        }
        let rows = try store.count()
        #expect(rows == 200)
        let sequences = try store.records(after: .start, limit: 500).map(\.sequence)
        #expect(sequences == [Int64](1...200))
    }

    @Test("Every commit is on the disk: WAL and synchronous FULL")
    func durability() throws {
        let database = try Database(path: scratch.path("db.sqlite"), migrations: [])
        let journal = try database.statement("PRAGMA journal_mode")
        let hasJournal = try journal.step()
        #expect(hasJournal == true)
        #expect(journal.text(0) == "wal")
        let synchronous = try database.statement("PRAGMA synchronous")
        let hasSynchronous = try synchronous.step()
        #expect(hasSynchronous == true)
        #expect(synchronous.integer(0) == 2)
    }
}

@Suite("Database errors")
struct DatabaseTroubleTests {
    /// Lives as long as the suite's instance, of which each test has its own.
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static func storeError(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StoreError
        }
    }

    static func error(_ body: () throws -> Void) -> DatabaseError? {
        do {
            try body()
            return nil
        } catch {
            return error as? DatabaseError
        }
    }

    @Test("A file from a newer version is refused and left unchanged")
    func newer() throws {
        _ = try Database(
            path: scratch.path("db.sqlite"), migrations: Migrations(Array(repeating: "SELECT 1", count: 50)))
        let error = Self.storeError {
            _ = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite")).count()
        }
        #expect(error?.description.contains("version 50") == true)
        #expect(error?.description.contains("newer version") == true)
    }

    @Test("A file of this version is used, and one of the next version is refused")
    func nextVersion() throws {
        let path = scratch.path("db.sqlite")
        _ = try Database(path: path, migrations: ["SELECT 1", "SELECT 1"])
        let none = Self.error { _ = try Database(path: path, migrations: ["SELECT 1", "SELECT 1"]) }
        #expect(none == nil)
        let error = Self.error { _ = try Database(path: path, migrations: ["SELECT 1"]) }
        #expect(error?.detail == "its schema version 2 is newer than this program's 1")
        let version = try Database(path: path, migrations: nil).number("PRAGMA user_version")
        #expect(version == 2)
    }

    @Test("A transaction that fails changes nothing, and the next one may begin")
    func rollback() throws {
        let database = try Database(path: scratch.path("db.sqlite"), migrations: ["CREATE TABLE t (x NOT NULL)"])
        let error = Self.error {
            try database.transaction { () throws(DatabaseError) in
                try database.execute("INSERT INTO t VALUES (1)")
                try database.execute("INSERT INTO t VALUES (NULL)")
            }
        }
        #expect(error?.detail.contains("NOT NULL") == true, "\(String(describing: error))")
        let none = try database.number("SELECT count(*) FROM t")
        #expect(none == 0)
        try database.transaction { () throws(DatabaseError) in try database.execute("INSERT INTO t VALUES (2)") }
        let one = try database.number("SELECT count(*) FROM t")
        #expect(one == 1)
    }

    @Test("A number of no row is zero, and a PRAGMA that keeps its value is an error")
    func values() throws {
        let database = try Database(path: scratch.path("db.sqlite"), migrations: ["CREATE TABLE t (x)"])
        let none = try database.number("SELECT x FROM t")
        #expect(none == 0)
        let kept = Self.error { try database.set("PRAGMA journal_mode = WAL", to: "wal") }
        #expect(kept == nil)
        let error = Self.error { try database.set("PRAGMA journal_mode = WAL", to: "delete") }
        #expect(error?.isBusy == true, "\(String(describing: error))")
        #expect(error?.detail == "the value remains “wal”")
    }

    @Test("A file that is not a database is refused, and used again when it is repaired")
    func corrupt() throws {
        try Data(repeating: 0x55, count: 8192).write(to: URL(filePath: scratch.path("db.sqlite")))
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite"))
        #expect(Self.storeError { _ = try store.count() }?.description.contains("backup") == true)
        try FileManager.default.removeItem(atPath: scratch.path("db.sqlite"))
        let outcomes = try store.insert([quiz()], receivedAt: now)
        #expect(outcomes == [.stored(sequence: 1)])
    }

    @Test("A missing directory is an error that names the file")
    func missingDirectory() throws {
        let path = scratch.path + "/none/db.sqlite"
        let error = Self.storeError { _ = try SQLiteRecordStore(kind: .quizzes, path: path).count() }
        #expect(error?.kind == .unavailable)
        #expect(error?.description.hasPrefix("cannot open \(path): ") == true)
    }

    @Test(
        "Data refused by the disk, in any of its writes or syncs, is not there later",
        arguments: [DiskFault.error, .full, .readOnly])
    func refused(_ fault: DiskFault) throws {
        var accepted = 0
        // Each write and each sync of a commit is the first to fail, up to the one after the last.
        for writes in 0..<40 where accepted == 0 {
            let directory = scratch.path("\(fault) \(writes)")
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            let store = try SQLiteRecordStore(kind: .quizzes, path: directory + "/db.sqlite")
            let (first, refused, last) = (quiz(title: "first"), quiz(title: "refused"), quiz(title: "last"))
            _ = try store.insert([first], receivedAt: now)
            try fault.apply(to: directory, after: writes)
            do throws(StoreError) {
                _ = try store.insert([refused], receivedAt: now)
                accepted = writes
            } catch {
                // Later uses meet the fault as well, until it is over.
                _ = try? store.insert([quiz(title: "while the disk is broken")], receivedAt: now)
            }
            try DiskFault.none.apply(to: directory)
            guard accepted == 0 else { break }
            let read = try store.records(after: .start, limit: 9).map(\.record.title)
            #expect(read == ["first"], "after \(writes) writes, read again")
            _ = try store.insert([last], receivedAt: now)
            let later = try store.records(after: .start, limit: 9).map(\.record.title)
            #expect(later == ["first", "last"], "after \(writes) writes, and one that went well")
            store.file.close()
            let reopened = try store.records(after: .start, limit: 9).map(\.record.title)
            #expect(reopened == ["first", "last"], "after \(writes) writes, opened again")
        }
        #expect(accepted > 1, "no commit went well; or the disk was never asked")
    }

    @Test("A full disk refuses the whole transaction; earlier data stays, and the store continues when there is space")
    func full() throws {
        let database = try Database(path: scratch.path("db.sqlite"), migrations: ["CREATE TABLE t (b BLOB) STRICT"])
        try database.execute("INSERT INTO t VALUES (x'01')")
        // SQLite's own page limit gives the same error as a full disk.
        try database.execute("PRAGMA max_page_count = 8")
        let error = Self.error {
            try database.transaction { () throws(DatabaseError) in
                for _ in 0..<10 { try database.execute("INSERT INTO t VALUES (zeroblob(4000))") }
            }
        }
        #expect(error?.description.contains("free some disk space") == true)
        try database.execute("PRAGMA max_page_count = 1000")
        try database.execute("INSERT INTO t VALUES (zeroblob(4000))")
        let count = try database.statement("SELECT count(*) FROM t")
        let hasCount = try count.step()
        #expect(hasCount == true)
        #expect(count.integer(0) == 2)
    }

    @Test("A migration that fails changes nothing")
    func migration() throws {
        _ = try Database(path: scratch.path("db.sqlite"), migrations: ["CREATE TABLE a (x)"])
        #expect(
            Self.error {
                _ = try Database(
                    path: scratch.path("db.sqlite"), migrations: ["CREATE TABLE a (x)", "CREATE TABLE b (x); nonsense"])
            } != nil)
        let database = try Database(
            path: scratch.path("db.sqlite"), migrations: ["CREATE TABLE a (x)", "CREATE TABLE b (x)"])
        try database.execute("INSERT INTO b VALUES (1)")
    }
}
