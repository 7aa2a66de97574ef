import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("A log that grows ahead of need")
struct LogGrowthTests {
    private let scratch: Scratch
    private var path: String { scratch.path("db.sqlite") }

    init() throws { scratch = try Scratch() }

    private func open() throws -> Database {
        try Database(
            path: path, migrations: ["CREATE TABLE rows (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT"])
    }

    /// Stores one row of so many bytes, in a separate transaction.
    private func insert(_ number: Int64, bytes: Int, into database: Database) throws {
        let statement = try database.statement("INSERT INTO rows VALUES (?1, ?2)")
        try statement.bind(number, at: 1)
        try statement.bind(Data(repeating: UInt8(truncatingIfNeeded: number), count: bytes), at: 2)
        try statement.run()
    }

    private func logSize() throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
    }

    @Test("Most commits do not change its length")
    func steps() throws {
        let database = try open()
        var sizes: [Int] = []
        for number in 0..<100 {
            try insert(Int64(number), bytes: 900, into: database)
            sizes.append(try logSize())
        }
        let growths = zip(sizes, sizes.dropFirst()).count { $0 < $1 }
        #expect((1...20).contains(growths))
    }

    @Test("Data that others append stays, and a crash loses nothing")
    func others() throws {
        let (one, other) = (try open(), try open())
        var number: Int64 = 0
        // Each makes the log longer than the other knows.
        for bytes in [900, 700_000, 900, 300_000, 40_000, 900, 1_000_000, 900] {
            for database in [one, other, other, one] {
                number += 1
                try insert(number, bytes: bytes, into: database)
            }
        }
        // As a crash leaves the files: the log is read from its start to its end.
        let crashed = scratch.path("crashed.sqlite")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: crashed + suffix) }
        let survivor = try Database(path: crashed, migrations: nil)
        let count = try survivor.statement("SELECT count(*) FROM rows")
        let hasCount = try count.step()
        #expect(hasCount)
        #expect(count.integer(0) == number)
        let problems = try DatabaseCheck.problems(in: crashed)
        #expect(problems == [])
    }

    @Test("It is truncated, and grows again")
    func truncated() throws {
        let database = try open()
        try insert(1, bytes: 900, into: database)
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let emptied = try logSize()
        #expect(emptied == 0)
        try insert(2, bytes: 900, into: database)
        let grown = try logSize()
        #expect(grown > 100_000)
    }

    @Test("Frames of every size of a page are complete in a copy of the log", arguments: [512, 4_096, 8_192, 65_536])
    func pages(_ size: Int) throws {
        let empty = try Database(path: path, migrations: nil, access: .using)
        try empty.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = \(size); VACUUM")
        let database = try open()
        #expect(try database.number("PRAGMA page_size") == size)
        for number in 0..<20 { try insert(Int64(number), bytes: 100 + 700 * number, into: database) }
        let copy = scratch.path("copy.sqlite")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
        let survivor = try Database(path: copy, migrations: nil)
        #expect(try survivor.number("SELECT count(*) FROM rows") == 20)
        let problems = try DatabaseCheck.problems(in: copy)
        #expect(problems == [])
    }
}
