import Configuration
import Foundation
import Glibc
import Processes
import ServiceRuntime
import Testing

/// Each piece of the doctor's advice, run verbatim in a shell, solves its problem.
@Suite("The doctor")
struct DoctorTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    private struct Look {
        let code: Int32
        let findings: [JSONValue]

        var wrong: [JSONValue] { findings.filter { $0["state"]?.string != "ok" } }
        var commands: [String] { findings.compactMap { $0["command"]?.string }.filter { !$0.isEmpty } }
    }

    private func look() throws -> Look {
        let result = try bench.watchlink(["doctor", "--json"])
        let findings = try JSONDecoder().decode([JSONValue].self, from: Data(result.output.utf8))
        return Look(code: result.code, findings: findings)
    }

    /// Repeats the diagnosis until no problem is left: a repaired link recovers soon.
    private func lookUntilWell() throws -> Look {
        var look = try look()
        for _ in 0..<100 where !look.wrong.isEmpty { look = try self.look() }
        return look
    }

    /// Runs every command of the doctor, each once, and repeats the diagnosis.
    private func follow(_ look: Look) throws -> Look {
        for command in NSOrderedSet(array: look.commands).array.compactMap({ $0 as? String }) {
            let result = try TestBench.shell(command)
            #expect(result.code == 0, "\(command): \(result)")
        }
        return try lookUntilWell()
    }

    @Test("Every action on a device is named first, and undone by the command beside it")
    func deliberate() throws {
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        let wrong = try lookUntilWell().wrong
        #expect(wrong == [])
        let watches = try bench.watchlink(["watches", "--json"])
        let listed = try JSONDecoder().decode(JSONValue.self, from: Data(watches.output.utf8))
        let watch = try #require(listed.array?.first?["identifier"]?.string)
        let ways: [(done: String, said: String, code: Int32)] = [
            ("faults host drop reply", "drop out reply", 1),
            ("faults companion hold user-info", "hold out user-info", 1),
            ("faults host disk full after=5", "full after 5 writes", 1),
            ("faults companion disk read-only", "read-only", 1),
            ("faults companion reachability never silent", "never silent", 1),
            ("faults host activation delay=1s failures=2", "failures=2", 1),
            ("link companion condition out-of-range", "refuse=on", 1), ("link host condition wifi", "latency=4ms", 0),
            ("link host condition stall=on --device \(watch)", "stall=on", 1),
            ("device companion link-down", "the link is down", 1), ("device host suspended", "the app is suspended", 1),
            ("device companion terminated", "the app is terminated", 1), ("device host reboot", "is locked", 1),
            ("device companion wrist-down", "the wrist is down", 1), ("device host uninstall", "not installed", 1),
            ("watches unpair \(watch)", "is not paired", 1), ("watches uninstall \(watch)", "does not have the app", 1),
        ]
        for way in ways {
            let done = try bench.watchlink(way.done.split(separator: " ").map(String.init))
            #expect(done.code == 0, "\(way.done): \(done)")
            let broken = try look()
            #expect(broken.code == way.code, "\(way.done): \(broken.findings)")
            #expect(
                broken.findings.first?["detail"]?.string?.contains(way.said) == true, "\(way.done): \(broken.findings)")
            // The other commands report it as well.
            let status = try bench.watchlink(["status"]).output
            #expect(status.contains(way.said), "\(way.done)")
            let watched = try bench.watchlink(["watch"]).output
            #expect(watched.contains("trouble"), "\(way.done)")
            let well = try follow(broken)
            #expect(well.code == 0, "\(way.done): \(well.wrong)")
            #expect(well.wrong == [], "\(way.done): \(well.wrong)")
        }
        #expect(companion.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("A broken installation works again after the doctor's advice")
    func broken() throws {
        let state = bench.state()
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        try bench.expectCode(0, of: ["submit", try bench.quizzes(1), "--wait"])
        let ways: [(name: String, act: () -> Void)] = [
            ("open directory", { chmod(state.path, 0o755) }),
            ("open database", { chmod(state.path(of: "quizzes.sqlite"), 0o644) }),
            ("frozen host", { host.signal(SIGSTOP) }), ("frozen companion", { companion.signal(SIGSTOP) }),
            ("dead host", { host.kill() }), ("dead companion", { companion.kill() }),
        ]
        for (name, act) in ways {
            act()
            let broken = try look()
            #expect(broken.code == 1, "\(name): \(broken.findings)")
            #expect(!broken.commands.isEmpty, "\(name): \(broken.findings)")
            let well = try follow(broken)
            #expect(well.code == 0, "\(name): \(well.wrong)")
            #expect(well.wrong == [], "\(name): \(well.wrong)")
        }
        // The two services started by the doctor's commands.
        let status = try JSONDecoder().decode(
            JSONValue.self, from: Data(try bench.watchlink(["status", "--json"]).output.utf8))
        for side in ["host", "companion"] {
            let process = try #require(status[side]?["process"]?.integer)
            #expect(kill(Int32(process), SIGKILL) == 0)
        }
    }

    @Test("A dead service is restarted with its configuration and log, from any working directory")
    func sameOptions() throws {
        let config = try bench.write("my host.json5", "{ ledger: { capacity: 777 } }")
        let arguments = ["--state-directory", bench.state().path, "--log-level", "warning", "--log-file", "other.log"]
        // With a relative path, as a user types it.
        let line = ([TestBench.program("watchlink-host").path] + arguments).joined(separator: " ")
        let start = try TestBench.shell("cd '\(bench.path)'; \(line) --config './my host.json5' > /dev/null 2>&1 &")
        #expect(start.code == 0)
        let first = try process("host")
        end(first, by: SIGKILL)
        let broken = try look()
        let command = try #require(broken.commands.first { $0.contains("watchlink-host") }, "\(broken.findings)")
        #expect(command.contains("--config '\(config)' --log-level warning --log-file other.log"), "\(command)")
        let metrics = try bench.watchlink(["metrics", "host"]).errors
        #expect(metrics.contains("--config '\(config)'"))
        let started = try TestBench.shell(command)
        #expect(started.code == 0, "\(started)")
        let second = try process("host")
        let words = try String(contentsOfFile: "/proc/\(second)/cmdline", encoding: .utf8).split(separator: "\0")
        #expect(
            words.suffix(6) == ["--config", Substring(config), "--log-level", "warning", "--log-file", "other.log"])
        // The defaults are kept as well.
        end(second, by: SIGTERM)
        let ended = try bench.start("host", level: "info").stop(within: TestBench.limit)
        #expect(ended == 0)
        let stopped = try bench.watchlink(["metrics", "host"]).errors
        #expect(stopped.contains("--log-level info"), "\(stopped)")
        #expect(!stopped.contains("--config"), "\(stopped)")
    }

    /// Kills a host that is not a child process, and waits until it has released its lock.
    private func end(_ process: Int32, by signal: Int32) {
        let lock = open(bench.state().device(of: "host") + "/lock", O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        #expect(kill(process, signal) == 0)
        #expect(flock(lock, LOCK_EX) == 0)
    }

    /// Returns the process of a service once it answers and has recorded its arguments.
    private func process(_ side: String) throws -> Int32 {
        for _ in 0..<1_000 {
            let status = try JSONDecoder().decode(
                JSONValue.self, from: Data(try bench.watchlink(["status", "--json"]).output.utf8))
            if let process = status[side]?["process"]?.integer,
                FileManager.default.fileExists(atPath: bench.state().options(of: side))
            {
                return Int32(process)
            }
        }
        throw CancellationError()
    }

    @Test("A socket removed under a running service is recreated, and the doctor finds no problem")
    func removedSockets() throws {
        let state = bench.state()
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        let wrong = try lookUntilWell().wrong
        #expect(wrong == [])
        for (round, path) in [state.linkSocket, state.hostControlSocket].enumerated() {
            #expect(unlink(path) == 0)
            host.expectLines(round + 1, containing: "socket renewed")
            let well = try lookUntilWell()
            #expect(well.code == 0, "\(path): \(well.wrong)")
            #expect(well.wrong == [], "\(path): \(well.wrong)")
        }
        // Later clients find the new one.
        #expect(companion.stop(within: TestBench.limit) == 0)
        let next = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(1), "--wait"])
        let wrongLater = try lookUntilWell().wrong
        #expect(wrongLater == [])
        #expect(next.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("No command restricts a directory that others need")
    func harmless() throws {
        // As the directory for temporary files, which has content of others.
        let shared = bench.path + "/shared"
        #expect(mkdir(shared, 0o777) == 0 && chmod(shared, 0o1777) == 0)
        for path in ["/", shared, "/usr"] {
            let result = try TestBench.run("watchlink", ["--state-directory", path, "doctor", "--json"])
            let findings = try JSONDecoder().decode([JSONValue].self, from: Data(result.output.utf8))
            #expect(findings.filter { $0["command"]?.string?.contains("chmod") == true } == [])
            #expect(findings.contains { $0["advice"]?.string?.contains("for WatchLink alone") == true }, "\(findings)")
        }
        let service = try TestBench.run("watchlink-host", ["--state-directory", "/", "--check"])
        #expect(service.code == 6, "\(service)")
        #expect(!service.errors.contains("chmod"), "\(service)")
    }

    @Test("A failing disk is reported by status, watch and doctor until a commit succeeds")
    func failingDisk() throws {
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        try bench.expectCode(0, of: ["submit", try bench.quizzes(1), "--wait"])
        try bench.expectCode(0, of: ["faults", "host", "disk", "full"])
        try bench.expectCode(0, of: ["submit", try bench.quizzes(3, file: "more.json")])
        companion.expectLines(containing: "quiz retry scheduled")
        for command in ["status", "watch"] {
            let shown = try bench.watchlink([command]).output
            #expect(shown.contains("database or disk is full"), "\(shown)")
        }
        let look = try look()
        #expect(look.code == 1)
        #expect(
            look.findings.first?["detail"]?.string?.contains("fails on demand: full") == true, "\(look.findings)")
        #expect(
            look.wrong.contains { $0["detail"]?.string?.contains("database or disk is full") == true }, "\(look.wrong)")
        let left = try follow(look).wrong
        #expect(left == [])
        let status = try bench.watchlink(["status"]).output
        #expect(!status.contains("disk is full"))
        #expect(companion.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
    }
}
