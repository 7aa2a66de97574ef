import Foundation
import Homes
import Processes
import ServiceRuntime
import TestSupport
import Testing

/// “watchlink run”: any programs as linked devices.
@Suite("Runs of programs")
struct RunTests {
    private let bench: TestBench
    private static let device = TestBench.program("DeviceProgram").path(percentEncoded: false)
    init() throws { bench = try TestBench() }

    /// Starts a run in the state directory of the bench.
    private func start(_ words: [String]) throws -> BackgroundProcess {
        try BackgroundProcess(
            "run", executable: TestBench.program("watchlink"),
            arguments: ["run", "--state-directory", bench.state().path] + words, mergesOutput: true)
    }

    /// Writes a program of a few lines of shell, in one step: a run may wait for it.
    private func script(_ name: String, _ text: String) throws -> String {
        let written = try bench.write(name + ".text", "#!/bin/sh\n" + text + "\n")
        try TestBench.install(written, at: written + ".new")
        #expect(rename(written + ".new", bench.path + "/" + name) == 0)
        return bench.path + "/" + name
    }

    private func run(_ words: String...) throws -> CommandResult { try bench.watchlink(words) }

    @Test("It prints what both print, and the commands find both by name; a signal ends all, with 0")
    func commands() throws {
        let run = try start(["--phone", Self.device, "--watch", "\(Self.device) 'info 4' home", "--log-level", "debug"])
        #expect(run.waitForLines(containing: "phone     │ got user info 4", within: TestBench.limit), "\(run.lines)")
        #expect(run.waitForLines(containing: "watch     │ did finish user info 4 ok", within: TestBench.limit))
        let home = bench.state().path(of: "watch")
        #expect(run.lines.contains("watch     │ home \(home) \(home)/Documents \(home)/tmp/"), "\(run.lines)")
        #expect(run.waitForLines(2, containing: "reachable=true", within: TestBench.limit))
        #expect(!run.lines.contains { $0.contains("\u{1B}") })

        let status = try self.run("status")
        #expect(status.code == 0, "\(status)")
        #expect(status.output.contains("phone: running\n"), "\(status)")
        #expect(status.output.contains("watch: running\n"), "\(status)")
        let ledger = try self.run("ledger", "watch")
        #expect(ledger.output.contains("user info"), "\(ledger)")
        let wrist = try self.run("device", "watch", "wrist-down")
        #expect(wrist.output.contains("wrist down"), "\(wrist)")
        let link = try self.run("link", "watch", "condition", "latency=1ms")
        #expect(link.output.contains("link of the watch"), "\(link)")
        let faults = try self.run("faults", "watch", "drop", "reply")
        #expect(faults.output.contains("faults of the watch"), "\(faults)")
        let metrics = try self.run("metrics", "phone")
        #expect(metrics.output.contains("watchlink_queue_length{queue=\"transfers out\"} 0"), "\(metrics)")
        let watch = try self.run("watch")
        #expect(watch.code == 0, "\(watch)")
        #expect(watch.output.contains("● watch: process "), "\(watch)")
        #expect(watch.output.contains("● phone: process "), "\(watch)")
        let doctor = try self.run("doctor")
        #expect(doctor.output.contains("$ "), "\(doctor)")
        #expect(doctor.output.contains(" faults watch clear"), "\(doctor)")
        let timeline = try self.run("timeline")
        #expect(timeline.output.contains("<h1>1 package"), "\(timeline.errors)")
        let wrong = try self.run("device", "phon")
        #expect(wrong.errors.contains("did you mean “phone”?"), "\(wrong)")

        run.signal(SIGINT)
        let code = run.wait(within: TestBench.limit)
        #expect(code == 0, "\(run.lines)")
        let later = try self.run("status")
        #expect(later.code == 7, "\(later)")
        #expect(later.output == "phone: not running\n\nwatch: not running\n", "\(later)")
    }

    @Test("A line that a program prints is shown while the program runs, and in its log, also if a signal ends it")
    func printed() throws {
        let program = "\(Self.device) 'print as on a console'"
        let run = try start(["--phone", program, "--watch", "/bin/sleep 1000"])
        #expect(run.waitForLines(containing: "phone     │ as on a console", within: TestBench.limit), "\(run.lines)")
        run.signal(SIGTERM)
        let code = run.wait(within: TestBench.limit)
        #expect(code == 0, "\(run.lines)")
        let log = try String(contentsOfFile: bench.state().log(of: "phone"), encoding: .utf8)
        #expect(log.contains("as on a console\n"), "\(log)")
    }

    @Test("A second run finds the data of the first, unless it is to be fresh")
    func persistence() throws {
        for (words, kept) in [(["set 3"], nil), (["kept"], "kept 3"), (["kept", "--fresh"], "kept 0")] {
            let program = "\(Self.device) '\(words[0])' 'exit 0'"
            let run = try start(["--phone", program, "--watch", "/bin/true"] + words.dropFirst())
            let code = run.wait(within: TestBench.limit)
            #expect(code == 0, "\(run.lines)")
            if let kept { #expect(run.lines.contains("phone     │ \(kept)"), "\(run.lines)") }
        }
    }

    @Test("A program that fails ends the run, with 1, and is named")
    func failure() throws {
        let run = try start(["--phone", "/bin/sleep 1000", "--watch", try script("app", "printf last; kill -SEGV $$")])
        let code = run.wait(within: TestBench.limit)
        #expect(code == 1)
        #expect(run.lines.contains("watch     │ last"), "\(run.lines)")
        #expect(run.lines.contains("watchlink │ the watch failed: it ended by signal 11"), "\(run.lines)")
        #expect(
            run.lines.contains { $0.hasPrefix("watchlink run: the watch failed: it ended by signal 11; its log: ") })
        #expect(!run.lines.contains { $0.contains("phone failed") }, "\(run.lines)")
    }

    @Test("A program whose executable is replaced is restarted, also after a crash")
    func rebuild() throws {
        let watch = try script("app", "echo first; exit 9")
        let run = try start(["--phone", "/bin/sleep 1000", "--watch", watch, "--restart-on-rebuild"])
        #expect(
            run.waitForLines(containing: "it exited with code 9; it waits", within: TestBench.limit), "\(run.lines)")
        _ = try script("app", "echo second; exec sleep 1000")
        #expect(run.waitForLines(containing: "watch     │ second", within: TestBench.limit), "\(run.lines)")
        _ = try script("app", "echo third; exec sleep 1000")
        #expect(run.waitForLines(containing: "watch     │ third", within: TestBench.limit), "\(run.lines)")
        run.signal(SIGTERM)
        let code = run.wait(within: TestBench.limit)
        #expect(code == 0, "\(run.lines)")
    }

    @Test("A program that does not end when it is asked to is killed at a second signal, which is a failure")
    func impatience() throws {
        let stubborn = try script("app", "trap '' TERM; echo ready; while :; do sleep 0.1; done")
        let run = try start(["--phone", stubborn, "--watch", "/bin/sleep 1000"])
        #expect(run.waitForLines(containing: "phone     │ ready", within: TestBench.limit))
        run.signal(SIGINT)
        #expect(run.waitForLines(containing: "ending all programs", within: TestBench.limit), "\(run.lines)")
        run.signal(SIGINT)
        let code = run.wait(within: TestBench.limit)
        #expect(code == 1, "\(run.lines)")
        #expect(
            run.lines.contains { $0.hasPrefix("watchlink run: the phone failed: it ended by signal 9") }, "\(run.lines)"
        )
    }

    @Test("A program without DeviceControl runs, and the commands say why they cannot ask it")
    func unlinked() throws {
        let plain = TestBench.program("PlainProgram").path(percentEncoded: false)
        let run = try start(["--phone", plain, "--watch", plain, "--log-level", "debug"])
        #expect(run.waitForLines(2, containing: "reachable=true", within: TestBench.limit), "\(run.lines)")
        let status = try self.run("status")
        #expect(status.code == 150, "\(status)")
        #expect(status.output.contains("is not linked with DeviceControl"), "\(status)")
        let doctor = try self.run("doctor")
        #expect(doctor.output.contains("odd  phone: running, but cannot be asked"), "\(doctor)")
        let second = try start(["--phone", plain, "--watch", plain])
        let code = second.wait(within: TestBench.limit)
        #expect(code == 1)
        #expect(second.lines.contains { $0.contains("another “watchlink run” uses") }, "\(second.lines)")
        run.signal(SIGHUP)
        let end = run.wait(within: TestBench.limit)
        #expect(end == 0, "\(run.lines)")
    }

    @Test("A directory with other files at the places of a run is refused, and left as it is")
    func foreign() throws {
        let path = bench.state().path + "/watch"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let run = try start(["--phone", "/bin/true", "--watch", "/bin/true", "--fresh"])
        let code = run.wait(within: TestBench.limit)
        #expect(code == 2)
        #expect(run.lines.contains { $0.contains("\(path) belongs to something else") }, "\(run.lines)")
        #expect(FileManager.default.fileExists(atPath: path))
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.state().path)
        #expect(names == ["watch"])
    }

    @Test("The programs of a device share an app group, in the device's home; two devices never do")
    func groups() {
        let paths = ["phone", "watch"].map { ProgramHome("/run/\($0)").container(ofGroup: "group.scores") }
        #expect(paths[0] == "/run/phone/Library/Group Containers/group.scores")
        #expect(paths[1] == "/run/watch/Library/Group Containers/group.scores")
    }
}
