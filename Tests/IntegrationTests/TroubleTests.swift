import Configuration
import Foundation
import Glibc
import LinkTransport
import Processes
import ServiceRuntime
import Testing

@Suite("Faults of the real services")
struct TroubleTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    @Test("Garbage, an oversized frame, a partial frame and silence are logged and closed; others are served")
    func hostilePeers() throws {
        let host = try bench.start("host", config: "{ link: { helloTimeout: 0.3 } }")
        let companion = try bench.start("companion")
        let path = bench.state().linkSocket
        let attacks: [(bytes: Data, closes: Bool, line: String)] = [
            (Data("GET / HTTP/1.1\r\n\r\n".utf8), true, "frame too long"),
            (Data([0x7F, 0xFF, 0xFF, 0xFF]), true, "frame too long: 2147483647 bytes"),
            (Data([0, 0, 0, 4, 1, 2, 3, 4]), true, "unreadable package"),
            (Data([0, 0, 1, 0, 1, 2, 3]), false, "closed in the middle of a frame"),
            (Data(), true, "hello time-out"),
        ]
        for attack in attacks {
            do {
                let attacker = try BlockingStream(connectingTo: path, timeout: .seconds(20))
                try attacker.write(attack.bytes)
                // The host's hello and goodbye arrive, then the end; a reset counts as an end.
                if attack.closes { while (try? attacker.readLine()) ?? nil != nil {} }
            }
            host.expectLines(containing: attack.line)
            try bench.expectCode(0, of: ["submit", try bench.quizzes(1), "--wait"])
        }
        #expect(!companion.lines.contains { $0.contains("peer disconnected") }, "\(companion.lines)")
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("While the host's database is broken the host stays up; the quizzes arrive when it is repaired")
    func brokenDatabase() throws {
        try PrivateDirectory.create(bench.state().path)
        let database = bench.state().path(of: "quizzes.sqlite")
        try Data(repeating: 0x55, count: 8192).write(to: URL(filePath: database))
        // A file that others can read would be refused before it is opened.
        #expect(chmod(database, 0o600) == 0)
        let host = try bench.start("host")
        let companion = try bench.start("companion", config: "{ outbox: { firstRetry: 0.3, longestRetry: 0.3 } }")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(5)])
        companion.expectLines(5, containing: "quiz retry scheduled")
        #expect(host.lines.contains { $0.contains("database unavailable") }, "\(host.lines)")
        let status = try bench.watchlink(["status"]).output
        #expect(status.contains("pending 5"))
        try FileManager.default.removeItem(atPath: database)
        companion.expectLines(5, containing: "quiz replied")
        let titles = try bench.titles()
        #expect(titles == (0..<5).map { "Quiz \($0)" })
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("A second service of the same kind is refused, and the first is not disturbed")
    func twice() throws {
        let host = try bench.start("host")
        let second = try TestBench.run("watchlink-host", ["--state-directory", bench.state().path])
        #expect(second.code == 1)
        #expect(second.errors.contains("is in use by another process"))
        let count = try bench.watchlink(["quizzes", "count"]).output
        #expect(count == "0\n")
        _ = host.stop(within: TestBench.limit)
    }

    @Test("A killed host's socket is replaced")
    func staleSocket() throws {
        try bench.start("host").kill()
        let again = try bench.start("host")
        #expect(again.lines.contains { $0.contains("stale socket replaced") }, "\(again.lines)")
        #expect(again.stop(within: TestBench.limit) == 0)
    }

    @Test("A service can be started directly after a kill, while the system still tears down the killed process")
    func startedDirectlyAfterKill() throws {
        var host = try bench.start("host")
        for round in 0..<12 {
            // Not awaited: the next start is as early as can be.
            host.signal(SIGKILL)
            do {
                host = try bench.start("host")
            } catch {
                Issue.record("the start after kill \(round) failed: \(error)")
                return
            }
        }
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test(
        "An invalid configuration is refused with file, line and key",
        arguments: [
            ("{\n  log: { level: 'loud' } }", ":2: log.level: “loud” must be one of"),
            ("{\n\n  lnk: {} }", ":3: lnk: is not a setting; did you mean “link”?"),
            ("{ link: { replyTimeout: 'soon' } }", ":1: link.replyTimeout: must be a number of seconds"),
            ("{ link: ", ":1:9: is not JSON5: expected a value, not the end of the file"),
            ("[]", "is not an object"),
        ])
    func configuration(_ text: String, _ message: String) throws {
        let file = try bench.write("wrong.json5", text)
        let result = try TestBench.run("watchlink-host", ["--state-directory", bench.state().path, "--config", file])
        #expect(result.code == 6)
        #expect(result.errors.contains("wrong.json5"), "\(result.errors)")
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
