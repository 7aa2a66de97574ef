import Foundation
import Processes
import ServiceRuntime
import Testing

@Suite("Databases lost while the real services run")
struct CustodyTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    private static let quickRetry = "{ outbox: { firstRetry: 0.3, longestRetry: 0.3 } }"

    private func move(_ from: String, _ to: String) throws {
        try FileManager.default.moveItem(atPath: from, toPath: to)
    }

    @Test("A missing host database is noticed before the next answer and shown; once put back, nothing is missing")
    func hostDatabase() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion", config: Self.quickRetry)
        try bench.expectCode(0, of: ["submit", try bench.quizzes(3), "--wait"])
        let path = bench.state().path(of: "quizzes.sqlite")
        try move(path, path + ".away")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(2, file: "more.json")])
        companion.expectLines(4, containing: "quiz retry scheduled")
        #expect(host.lines.count { $0.contains("database unavailable") } == 1, "\(host.lines)")
        #expect(
            host.lines.contains { $0.contains(" error ") && $0.contains("the database file is missing") },
            "\(host.lines)")
        let status = try bench.watchlink(["status"])
        #expect(status.output.contains("the database file is missing"), "\(status)")
        let doctor = try bench.watchlink(["doctor"])
        #expect(doctor.code == 1, "\(doctor)")
        #expect(doctor.output.contains("bad  host's database: "), "\(doctor)")
        #expect(!FileManager.default.fileExists(atPath: path))
        try move(path + ".away", path)
        companion.expectLines(5, containing: "quiz replied")
        let titles = try bench.titles()
        #expect(titles == ["Quiz 0", "Quiz 1", "Quiz 2", "Quiz 0", "Quiz 1"])
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("A copy written over the host's database is noticed before the next answer")
    func overwritten() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion", config: Self.quickRetry)
        try bench.expectCode(0, of: ["submit", try bench.quizzes(2), "--wait"])
        let backup = bench.path + "/backup.sqlite"
        try bench.expectCode(0, of: ["quizzes", "backup", backup])
        try bench.expectCode(0, of: ["submit", try bench.quizzes(2, file: "more.json"), "--wait"])
        let path = bench.state().path(of: "quizzes.sqlite")
        // As `cp` does: the file keeps its inode.
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(contentsOf: URL(filePath: backup)))
        try handle.close()
        try bench.expectCode(0, of: ["submit", try bench.quizzes(1, file: "last.json")])
        companion.expectLines(3, containing: "quiz retry scheduled")
        #expect(companion.lines.count { $0.contains("quiz replied") } == 4, "\(companion.lines)")
        let lost = host.lines.filter { $0.contains("database unavailable") }
        #expect(lost.count == 1, "\(host.lines)")
        #expect(lost.first?.contains("other than SQLite overwrote") == true, "\(host.lines)")
        let doctor = try bench.watchlink(["doctor"]).output
        #expect(doctor.contains("older copy of the database"))
        #expect(host.stop(within: TestBench.limit) == 0)
        let refused = try TestBench.run("watchlink-host", ["--state-directory", bench.state().path])
        #expect(refused.code == 1, "\(refused)")
        #expect(refused.errors.contains("it ends at 2, the lost one ended at 4"), "\(refused)")
        // Verbatim: the database is now the copy, and nothing is mixed into it.
        let mark = try #require(refused.errors.firstMatch(of: /remove (\/\S+\.mark) and start again/)?.output.1)
        try FileManager.default.removeItem(atPath: String(mark))
        let again = try bench.start("host")
        companion.expectLines(5, containing: "quiz replied")
        try bench.expectCode(0, of: ["quizzes", "verify"])
        let titles = try bench.titles()
        #expect(titles.count == 3)
        for process in [companion, again] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test(
        "A loss noticed only by a reader is logged, each loss once, until it is over",
        arguments: [
            ("host", "quizzes.sqlite"), ("companion", "outbox.sqlite"), ("host", "host/session.sqlite"),
            ("companion", "companion/session.sqlite"),
        ])
    func loggedOnce(_ name: String, _ file: String) throws {
        let service = try bench.start(name)
        let path = bench.state().path(of: file)
        for round in 1...2 {
            try move(path, path + ".away")
            for _ in 0..<3 { _ = try bench.watchlink(["status"]) }
            // The answer may be here before the line that was written first.
            service.expectLines(round, containing: "database unavailable")
            #expect(service.lines.count { $0.contains("database unavailable") } == round, "\(service.lines)")
            #expect(service.lines.contains { $0.contains(" error ") && $0.contains("is missing") }, "\(service.lines)")
            try move(path + ".away", path)
            for _ in 0..<3 { _ = try bench.watchlink(["status"]) }
            service.expectLines(round, containing: "database recovered")
            #expect(service.lines.count { $0.contains("database recovered") } == round, "\(service.lines)")
        }
        #expect(service.stop(within: TestBench.limit) == 0)
    }

    @Test("A missing outbox accepts nothing", arguments: ["outbox.sqlite", "outbox.sqlite-wal"])
    func outbox(_ name: String) throws {
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(3)])
        try FileManager.default.removeItem(atPath: bench.state().path(of: name))
        let result = try bench.watchlink(["submit", try bench.quizzes(2, file: "more.json")])
        if name.hasSuffix("-wal") {
            // The log was still complete: nothing is lost, and that is reported.
            #expect(result.code == 0)
            #expect(companion.lines.contains { $0.contains("database repaired") }, "\(companion.lines)")
            companion.kill()
            let again = try bench.start("companion")
            let status = try bench.watchlink(["status"]).output
            #expect(status.contains("pending 5"))
            #expect(again.stop(within: TestBench.limit) == 0)
        } else {
            #expect(result.code != 0, "\(result)")
            #expect(result.errors.contains("the database file is missing"), "\(result)")
            let again = try bench.watchlink(["submit", try bench.quizzes(2, file: "more.json")])
            #expect(again.code != 0, "\(again)")
            #expect(
                companion.lines.contains { $0.contains(" error ") && $0.contains("is missing") }, "\(companion.lines)")
            #expect(companion.lines.count { $0.contains("database unavailable") } == 1, "\(companion.lines)")
            let doctor = try bench.watchlink(["doctor"]).output
            #expect(doctor.contains("bad  companion's database: "))
            _ = companion.stop(within: TestBench.limit)
        }
    }

    @Test(
        "A service whose database is missing does not recreate it; the advice in its error message does",
        arguments: [
            ("host", "quizzes.sqlite"), ("companion", "outbox.sqlite"), ("host", "host/session.sqlite"),
            ("companion", "companion/session.sqlite"),
        ], [false, true])
    func start(_ service: (name: String, file: String), isEmptied: Bool) throws {
        let ended = try bench.start(service.name).stop(within: TestBench.limit)
        #expect(ended == 0)
        let path = bench.state().path(of: service.file)
        if isEmptied {
            #expect(truncate(path, 0) == 0)
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        let refused = try TestBench.run("watchlink-\(service.name)", ["--state-directory", bench.state().path])
        #expect(refused.code == 1)
        #expect(refused.errors.contains(isEmptied ? "file is empty" : "is missing"), "\(refused)")
        // The service's own text, without that of an error around it.
        let text = try #require(refused.errors.split(separator: "\n").last)
        #expect(text.hasPrefix("watchlink-\(service.name): cannot use \(path): "), "\(refused)")
        #expect(!refused.errors.contains("Domain"), "\(refused)")
        // Verbatim.
        let mark = try #require(refused.errors.firstMatch(of: /remove (\/\S+\.mark) and start again/)?.output.1)
        try FileManager.default.removeItem(atPath: String(mark))
        let endedAgain = try bench.start(service.name).stop(within: TestBench.limit)
        #expect(endedAgain == 0)
    }

    @Test(
        "A restore that dies between two steps leaves one complete database, and the next start names it",
        arguments: ["restore-copied", "restore-marked", "restore-linked", "restore-replaced"])
    func interruptedRestore(_ point: String) throws {
        var host = try bench.start("host")
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(2), "--wait"])
        let backup = bench.path + "/back up.sqlite"
        try bench.expectCode(0, of: ["quizzes", "backup", backup])
        try bench.expectCode(0, of: ["submit", try bench.quizzes(3, file: "more.json"), "--wait"])
        let former = try bench.titles()
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
        let killed = try TestBench.run(
            "watchlink", ["--state-directory", bench.state().path, "quizzes", "restore", backup],
            environment: ["WATCHLINK_CRASH_AT": point])
        #expect(killed.code == SIGKILL, "\(killed)")
        host = try bench.start("host")
        let isReplaced = point == "restore-replaced"
        let titles = try bench.titles()
        #expect(titles == (isReplaced ? Array(former.prefix(2)) : former))
        let isSaid = host.lines.contains { $0.contains("database repaired") }
        #expect(isSaid == (point != "restore-copied"), "\(host.lines)")
        #expect(host.stop(within: TestBench.limit) == 0)
        // The previous database exists under one name or the other, complete.
        let kept = try FileManager.default.contentsOfDirectory(atPath: bench.state().path)
            .filter { $0.contains("before-restore") }
        #expect(kept.count == (isReplaced ? 1 : 0))
        let restored = try bench.watchlink(["quizzes", "restore", backup])
        #expect(restored.output.contains("contains 2 quizzes; the former database is "), "\(restored)")
        let titlesLater = try bench.titles()
        #expect(titlesLater == Array(former.prefix(2)))
    }
}
