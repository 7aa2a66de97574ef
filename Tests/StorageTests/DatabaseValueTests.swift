import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("Values of databases")
struct DatabaseValueTests {
    @Test("Times are stored to the nearest millisecond and microsecond, and are clamped to 64 bits")
    func times() {
        let seconds: [Double] = [0, 1.000_4, 1.000_6, -0.25, 1e300, -1e300, .infinity, -.infinity]
        let milliseconds: [Int64] = [0, 1_000, 1_001, -250, .max, .min, .max, .min]
        #expect(seconds.map { Date(timeIntervalSince1970: $0).milliseconds } == milliseconds)
        let exact: [Double] = [0, 0.25, -0.25, 1e300, -1e300]
        let microseconds: [Int64] = [0, 250_000, -250_000, .max, .min]
        #expect(exact.map { Date(timeIntervalSince1970: $0).microseconds } == microseconds)
        #expect(Date(milliseconds: 1_250) == Date(timeIntervalSince1970: 1.25))
        #expect(Date(milliseconds: -1_250) == Date(timeIntervalSince1970: -1.25))
    }

    /// The result codes of sqlite3.h, some extended; then: busy, needs reopening, the beginning of the advice.
    @Test(
        "Each error says whether to wait, whether to reopen the file, and what to do",
        arguments: [
            (1, false, false, "see the message"), (3, false, false, "make the file and its directory"),
            (5, true, false, "stop the other program"), (517, true, false, "stop the other program"),
            (6, false, false, "stop the other program"), (8, false, false, "make the file and its directory"),
            (1_032, false, true, "make the file and its directory"), (10, false, false, "see the message"),
            (1_034, false, false, "see the message"), (11, false, true, "restore the file"),
            (267, false, true, "restore the file"), (13, false, false, "free some disk space"),
            (14, false, true, "make the file and its directory"), (20, false, false, "use the newer version"),
            (26, false, true, "restore the file"),
        ] as [(Int32, Bool, Bool, String)])
    func errors(_ code: Int32, _ isBusy: Bool, _ needsReopening: Bool, _ advice: String) {
        let error = DatabaseError(code: code, path: "/a.sqlite", operation: "open", detail: "why")
        #expect(error.isBusy == isBusy)
        #expect(error.needsReopening == needsReopening)
        #expect(!error.isDisplaced)
        let beginning = "cannot open /a.sqlite: why (SQLite \(code)); \(advice)"
        #expect(error.description.hasPrefix(beginning), "\(error)")
    }

    @Test("A displaced database needs a person, and its connection is given up")
    func displaced() {
        let error = DatabaseError(DatabaseDisplacement.older(end: 3, known: 5), path: "/d/a.sqlite")
        #expect(error.isDisplaced)
        #expect(error.needsReopening)
        #expect(error.description.contains("it ends at 3, the lost one ended at 5"), "\(error)")
        #expect(error.description.contains("remove /d/.a.sqlite.mark and start again"), "\(error)")
    }

    @Test("Troubles count from the first failure to the next commit, or to the next opening if that failed")
    func health() {
        let health = DatabaseHealth()
        let error = DatabaseError(code: 13, path: "/b", operation: "run", detail: "full")
        let other = DatabaseError(code: 14, path: "/a", operation: "open", detail: "gone")
        let time = Date(timeIntervalSince1970: 0)
        #expect(health.all == [])
        health.failed(error, in: "/b", whileOpening: false, at: time)
        health.failed(other, in: "/b", whileOpening: false, at: time + 1)
        health.failed(other, in: "/a", whileOpening: true, at: time)
        #expect(health.all.map(\.path) == ["/a", "/b"])
        #expect(health.all.map(\.count) == [1, 2])
        #expect(health.all.map(\.error) == [other, other])
        #expect(health.all.map(\.first) == [time, time])
        #expect(health.all.map(\.latest) == [time, time + 1])
        let texts = health.all.map(\.description)
        #expect(texts.first?.hasSuffix("; failed once since 1970-01-01T00:00:00Z, no commit since") == true, "\(texts)")
        #expect(texts.last?.contains("; failed 2 times since 1970-01-01T00:00:00Z") == true, "\(texts)")
        #expect(health.all.last?.brief == "gone; b, 2 times, last at 00:00:01Z")
        health.opened("/a")
        health.opened("/b")
        #expect(health.all.map(\.path) == ["/b"])
        health.committed("/a")
        #expect(health.isInTrouble("/b"))
        health.committed("/b")
        #expect(!health.isInTrouble("/b"))
        #expect(health.all == [])
    }
}

@Suite("Marks of databases")
struct DatabaseMarkTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.path("db.sqlite")
    }

    private static let current = DatabaseMark.Entry(identifier: 7, sequence: 9)

    @Test("A mark is read as it was written, with and without a successor")
    func written() throws {
        let none = try DatabaseMark.read(of: path)
        #expect(none == nil)
        let entry = DatabaseMark.Entry(identifier: .max, sequence: .max)
        let successor = DatabaseMark.Successor(entry: Self.current, formerName: "a name with spaces")
        let marks = [
            DatabaseMark(current: Self.current), DatabaseMark(current: entry),
            DatabaseMark(current: entry, successor: successor),
        ]
        for mark in marks {
            try mark.write(of: path)
            let read = try DatabaseMark.read(of: path)
            #expect(read == mark)
        }
    }

    @Test("A mark advances in place, never back, and keeps the rest")
    func advance() throws {
        let successor = DatabaseMark.Successor(entry: Self.current, formerName: "former")
        var mark = DatabaseMark(current: Self.current, successor: successor)
        try mark.write(of: path)
        var sequences: [Int64] = []
        var file: MarkFile?
        for sequence in [8, 9, 10, 9, Int64.max] {
            try mark.advance(to: sequence, of: path, in: &file)
            let read = try #require(try DatabaseMark.read(of: path))
            sequences.append(read.current.sequence)
        }
        #expect(sequences == [9, 9, 10, 10, Int64.max])
        let read = try DatabaseMark.read(of: path)
        #expect(read == mark)
        #expect(read?.successor == successor)
    }

    @Test("A mark that was removed is written again by the next advance")
    func removed() throws {
        var mark = DatabaseMark(current: Self.current)
        try mark.write(of: path)
        var file: MarkFile?
        try FileManager.default.removeItem(atPath: DatabaseMark.path(of: path))
        try mark.advance(to: 9, of: path, in: &file)
        let none = try DatabaseMark.read(of: path)
        #expect(none == nil)
        for sequence in [10, 11, 12] as [Int64] {
            try mark.advance(to: sequence, of: path, in: &file)
            let read = try DatabaseMark.read(of: path)
            #expect(read == DatabaseMark(current: DatabaseMark.Entry(identifier: 7, sequence: sequence)))
            // The file that was just written to is gone each time.
            if sequence != 11 { try FileManager.default.removeItem(atPath: DatabaseMark.path(of: path)) }
            if sequence == 12 { #expect(file?.isRemoved == true) }
        }
    }

    @Test("A mark that was replaced is advanced in its successor, not in the file that lost its name")
    func replaced() throws {
        var mark = DatabaseMark(current: Self.current)
        var file: MarkFile?
        try mark.write(of: path)
        try mark.advance(to: 10, of: path, in: &file)
        try DatabaseMark(current: DatabaseMark.Entry(identifier: 8, sequence: 1)).write(of: path)
        try mark.advance(to: 11, of: path, in: &file)
        let read = try DatabaseMark.read(of: path)
        #expect(read == DatabaseMark(current: DatabaseMark.Entry(identifier: 8, sequence: 11)))
    }

    @Test(
        "A mark that cannot be understood is refused, and an incomplete successor is none",
        arguments: [
            ("", false), ("watchlink-mark 1", false), ("watchlink-mark 1\n", false), ("watchlink-mark 1\n7\n", false),
            ("watchlink-mark 2\n7 9\n", false), ("watchlink-mark 1\nx 9\n", false),
            ("watchlink-mark 1\n7 x\n", false), ("watchlink-mark 1\n4294967296 9\n", false),
            ("watchlink-mark 1\n7 9", true), ("watchlink-mark 1\n0000000007 0000000000000000009\n", true),
            ("watchlink-mark 1\n7 9\n8\n", true), ("watchlink-mark 1\n7 9\n8 1\n", true),
        ])
    func unreadable(_ text: String, _ isAccepted: Bool) throws {
        try Data(text.utf8).write(to: URL(filePath: DatabaseMark.path(of: path)))
        guard !isAccepted else {
            let read = try DatabaseMark.read(of: path)
            #expect(read == DatabaseMark(current: Self.current))
            return
        }
        let error = #expect(throws: DatabaseError.self) { try DatabaseMark.read(of: path) }
        #expect(error?.detail.contains("unreadable") == true, "\(String(describing: error))")
    }
}
