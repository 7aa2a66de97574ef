import Configuration
import Foundation
import Glibc
import Processes
import ServiceRuntime
import TestSupport
import Testing

@Suite("Under a service manager")
struct SupervisionTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    @Test("The manager is notified of readiness, liveness, status, reload and stop")
    func notifications() throws {
        let notify = try NotifySocket(bench.path + "/notify")
        let environment = ["NOTIFY_SOCKET": notify.path, "WATCHDOG_USEC": "400000"]
        let host = try bench.start("host", environment: environment)
        notify.messages.expect { $0.first == "READY=1\nSTATUS=serving, 0 watches connected, 0 in flight" }
        notify.messages.expect { $0.count { $0 == "WATCHDOG=1" } >= 3 }
        let companion = try bench.start("companion")
        host.expectLines(containing: "reachability changed")
        host.signal(SIGHUP)
        host.expectLines(containing: "configuration loaded count=0")
        notify.messages.expect { messages in
            guard let start = messages.firstIndex(where: { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") }) else {
                return false
            }
            return messages[start...].contains("READY=1\nSTATUS=serving, 1 watch connected, 0 in flight")
        }
        #expect(host.stop(within: TestBench.limit) == 0)
        notify.messages.expect { $0.contains("STOPPING=1\nSTATUS=stopping") }
        _ = companion.stop(within: TestBench.limit)
    }

    @Test("A service is ready when its database is open, and not before", arguments: ["host", "companion"])
    func readiness(_ side: String) throws {
        let service = try bench.start(side)
        let opened = try #require(service.lines.firstIndex { $0.contains("\(side): database opened") })
        let ready = try #require(service.lines.firstIndex { $0.contains("\(side): ready") })
        #expect(opened < ready)
        #expect(service.stop(within: TestBench.limit) == 0)
    }

    @Test("A blocked link loop starves the watchdog; a running one feeds it")
    func watchdog() throws {
        let notify = try NotifySocket(bench.path + "/notify")
        // The watchdog of another process does not apply to this one.
        let host = try bench.start(
            "host", environment: ["NOTIFY_SOCKET": notify.path, "WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1"])
        notify.messages.expect { !$0.isEmpty }
        #expect(!host.lines.contains { $0.contains("watchdog armed") }, "\(host.lines)")
        #expect(host.stop(within: TestBench.limit) == 0)
        #expect(!notify.messages.all.contains("WATCHDOG=1"))
    }

    @Test("SIGHUP applies changed settings, reports those that need a restart, and refuses an invalid file entirely")
    func reload() throws {
        let file = try bench.write("reloaded.json5", "{ log: { level: 'info' } }")
        let process = try BackgroundProcess(
            "host", executable: TestBench.program("watchlink-host"),
            arguments: ["--state-directory", bench.state().path, "--config", file])
        process.expectLines(containing: "host: ready")
        _ = try bench.write("reloaded.json5", "{ log: { level: 'loud' }, ledger: { capacity: 7 } }")
        process.signal(SIGHUP)
        process.expectLines(containing: "configuration refused")
        #expect(process.lines.contains { $0.contains("reloaded.json5:1: log.level") }, "\(process.lines)")
        let levels = try bench.watchlink(["log-level"]).output
        #expect(levels.contains("link        info"))
        _ = try bench.write(
            "reloaded.json5",
            "{ log: { levels: { link: 'debug' } }, ledger: { capacity: 7 }, link: { condition: 'wifi' } }")
        process.signal(SIGHUP)
        process.expectLines(containing: #"configuration loaded count=3 reason="at the next start: ledger.capacity""#)
        #expect(process.lines.contains { $0.contains("link conditioned condition=") }, "\(process.lines)")
        let levelsLater = try bench.watchlink(["log-level"]).output
        #expect(levelsLater.contains("link        debug"))
        // A file that another program rotated is left alone, and a new one is created.
        let log = bench.state().path(of: "host.log")
        try FileManager.default.moveItem(atPath: log, toPath: log + ".aside")
        process.signal(SIGHUP)
        process.expectLines(3, containing: "log reopened")
        #expect(process.stop(within: TestBench.limit) == 0)
        let reopened = try String(contentsOfFile: log, encoding: .utf8)
        #expect(reopened.contains("host: stopped"))
    }

    @Test("A new watch must present its pairing code, once; wrong ones use it up; a revoked one is rejected")
    func pairingCode() throws {
        let host = try bench.start("host", config: "{ companions: { pairing: 'code' } }")
        let none = try bench.start("companion")
        host.expectLines(containing: "pairing code refused")
        none.expectLines(containing: "it must show the code of “watchlink watches code”")
        #expect(none.stop(within: TestBench.limit) == 0)

        // A wrong one uses the code up, however often it is presented: the right one is too late.
        let spent = try bench.watchlink(["watches", "code"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        let wrong = try bench.start(
            "companion", config: "{ link: { pairingCode: 'wrong', firstReconnect: 0.01, longestReconnect: 0.02 } }")
        host.expectLines(containing: "too many attempts")
        #expect(host.lines.count { $0.contains("the code is wrong") } == 5)
        #expect(wrong.stop(within: TestBench.limit) == 0)
        let late = try bench.start("companion", config: "{ link: { pairingCode: '\(spent)' } }")
        late.expectLines(containing: "is not paired")
        #expect(late.stop(within: TestBench.limit) == 0)

        let code = try bench.watchlink(["watches", "code"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(code.count == 8)
        #expect(code.filter { !$0.isNumber } == "")
        let companion = try bench.start("companion", config: "{ link: { pairingCode: '\(code)' } }")
        host.expectLines(containing: "pairing code accepted")
        companion.expectLines(containing: "reachable=true")
        #expect((host.lines + companion.lines).filter { $0.contains(code) } == [])
        // It is paired now: it reconnects without the code.
        #expect(companion.stop(within: TestBench.limit) == 0)
        let again = try bench.start("companion")
        again.expectLines(containing: "reachable=true")

        let list = try bench.watchlink(["watches", "--json"]).output
        let watches = try JSONDecoder().decode([JSONValue].self, from: Data(list.utf8))
        let watch = try #require(watches.first?["identifier"]?.string)
        try bench.expectCode(0, of: ["watches", "unpair", watch])
        again.expectLines(containing: "reachable=false")
        again.expectLines(containing: "is not paired")
        for process in [again, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test(
        "Listed users are admitted, others are refused with a message, root is always admitted",
        .enabled(if: geteuid() == 0, "only root can become other users"))
    func otherUsers() throws {
        let (friend, stranger) = (23_456, 23_457)
        #expect(chmod(bench.path, 0o711) == 0)
        let host = try bench.start("host", config: "{ link: { allowedUsers: [\(friend)] } }")
        #expect(chmod(bench.state().path, 0o711) == 0)
        let config = try bench.write("c.json5", "{ link: { socket: '\(bench.state().linkSocket)' } }")

        func companion(_ user: Int) throws -> BackgroundProcess {
            let state = bench.state("watch-\(user)").path
            try PrivateDirectory.create(state)
            #expect(chown(state, uid_t(user), gid_t(user)) == 0)
            return try BackgroundProcess(
                "companion", executable: URL(filePath: "/usr/bin/setpriv"),
                arguments: becoming(
                    user, "dac_read_search", "watchlink-companion", ["--state-directory", state, "--config", config]))
        }
        let refused = try companion(stranger)
        host.expectLines(containing: "peer refused")
        #expect(
            host.lines.contains { $0.contains("peer refused") && $0.contains("user=\(stranger) ") }, "\(host.lines)")
        let welcome = try companion(friend)
        welcome.expectLines(containing: "reachable=true")
        #expect(!refused.lines.contains { $0.contains("reachable=true") }, "\(refused.lines)")

        // Users who cannot open the control socket are refused by the kernel, others by the service.
        for capability in ["dac_read_search", "dac_override"] {
            let status = try TestBench.run(
                URL(filePath: "/usr/bin/setpriv"),
                becoming(
                    stranger, capability, "watchlink", ["--state-directory", bench.state().path, "quizzes", "count"]))
            #expect(status.code == ExitCode.notAllowed.rawValue)
            #expect(status.errors.contains("host: not allowed: "), "\(status)")
        }

        // Items accepted by a refused watch are kept until it is admitted.
        let accepted = try bench.watchlink(
            ["submit", try bench.quizzes(1)], state: bench.state("watch-\(stranger)"))
        #expect(accepted.code == 0, "\(accepted)")
        #expect(host.stop(within: TestBench.limit) == 0)
        let allowing = try bench.start("host", config: "{ link: { allowedUsers: [\(stranger)] } }")
        refused.expectLines(containing: "quiz replied")
        for process in [refused, welcome, allowing] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    /// Returns the setpriv(1) arguments to run a program as another user with read access to everything, as the
    /// programs may be in a directory of root.
    private func becoming(
        _ user: Int, _ capability: String, _ program: String, _ arguments: [String]
    ) -> [String] {
        [
            "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--inh-caps=+\(capability)",
            "--ambient-caps=+\(capability)", TestBench.program(program).path(percentEncoded: false),
        ] + arguments
    }

    @Test("A state directory that others can enter is refused, with advice")
    func exposed() throws {
        try PrivateDirectory.create(bench.state().path)
        #expect(chmod(bench.state().path, 0o755) == 0)
        let result = try TestBench.run("watchlink-host", ["--state-directory", bench.state().path])
        #expect(result.code == 6)
        #expect(result.errors.contains("chmod 0711 \(bench.state().path)"))
    }

    @Test("--check and --print-config report the settings, and create nothing")
    func configuration() throws {
        let file = try bench.write("host.json5", "{ log: { level: 'loud' },\n  link: { heartbet: 3 } }")
        let arguments = ["--state-directory", bench.state().path, "--config", file]
        let bad = try TestBench.run("watchlink-host", arguments + ["--check"])
        #expect(bad.code == 6)
        #expect(bad.output.isEmpty)
        #expect(bad.errors.contains("\(file):1: log.level"))
        #expect(bad.errors.contains("\(file):2: link.heartbet: is not a setting; did you mean “heartbeat”?"))
        _ = try bench.write("host.json5", "{ log: { level: 'debug' } }")
        let good = try TestBench.run("watchlink-host", arguments + ["--check"])
        #expect(good.code == 0)
        #expect(good.output == "ok\n")
        let listing = try TestBench.run("watchlink-host", arguments + ["--print-config", "--json"])
        let values = try JSONDecoder().decode([JSONValue].self, from: Data(listing.output.utf8))
        let level = try #require(values.first { $0["setting"] == "log.level" })
        #expect(level["value"] == "debug")
        #expect(level["source"] == .string("\(file):1"))
        #expect(!FileManager.default.fileExists(atPath: bench.state().path))
    }
}
