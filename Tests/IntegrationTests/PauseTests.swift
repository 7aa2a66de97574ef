import Configuration
import ControlSocket
import Foundation
import Processes
import ServiceRuntime
import TestSupport
import Testing

/// `restore --stop`, without a service manager; `.ci/deb` has one.
@Suite("A restore that stops the host and starts it again")
struct PauseTests {
    private let bench: TestBench

    init() throws { bench = try TestBench() }

    private func process() throws -> Int64? {
        try ControlClient(path: bench.state().hostControlSocket).call("status")["process"]?.integer
    }

    /// Ends the host that a command started: it is no child of this process.
    private func end() throws {
        let path = bench.state().hostControlSocket
        _ = try ControlClient(path: path).call("stop")
        let start = ContinuousClock.now
        while FileManager.default.fileExists(atPath: path), ContinuousClock.now - start < .seconds(30) {
            Thread.sleep(forTimeInterval: 0.05)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("The host is another process afterwards, has the backup's quizzes, and the watch finds it")
    func restore() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(3), "--wait"])
        let backup = bench.path + "/backup.sqlite"
        try bench.expectCode(0, of: ["quizzes", "backup", backup])
        let removed = try #require(try bench.titles().last)
        let list = try JSONDecoder().decode(
            JSONValue.self, from: Data(try bench.watchlink(["quizzes", "list", "--json"]).output.utf8))
        let last = try #require(list.array?.last?["identifier"]?.string)
        try bench.expectCode(0, of: ["quizzes", "delete", last])

        let refused = try bench.watchlink(["quizzes", "restore", backup])
        #expect(refused.code == 1)
        #expect(refused.errors.contains("or use --stop"), "\(refused)")
        let before = try process()

        let restored = try bench.watchlink(["quizzes", "restore", backup, "--stop"])
        #expect(restored.code == 0, "\(restored)")
        #expect(restored.output.contains("contains 3 quizzes; the former database is "), "\(restored)")
        defer { #expect(throws: Never.self) { try end() } }
        #expect(host.wait(within: TestBench.limit) == 0)
        let after = try process()
        #expect(after != nil && after != before)
        let titles = try bench.titles()
        #expect(titles.last == removed)
        #expect(companion.waitForLines(2, containing: "reachable=true", within: TestBench.limit))

        // A copy that is none changes nothing, and the host runs again all the same.
        let damaged = try bench.write("damaged.sqlite", "no database")
        let failed = try bench.watchlink(["quizzes", "restore", damaged, "--stop"])
        #expect(failed.code == 1, "\(failed)")
        let kept = try bench.titles()
        #expect(kept == titles)
        #expect(companion.stop(within: TestBench.limit) == 0)
    }

    @Test("Only restore has the option")
    func others() throws {
        let result = try bench.watchlink(["quizzes", "verify", "--stop"])
        #expect(result.code == 2)
        #expect(result.errors.contains("only restore needs a stopped host"), "\(result)")
    }
}
