import Foundation
import Glibc
import Processes
import ServiceRuntime
import Testing

/// The real programs at the limits of a process: few descriptors, signals at any time, files that vanish.
@Suite("Processes")
struct ProcessTests {
    private let bench: TestBench

    init() throws { bench = try TestBench() }

    /// Runs a shell command to its end.
    private func shell(_ command: String) throws -> CommandResult {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        let output = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return CommandResult(
            code: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: "",
            errors: String(decoding: text, as: UTF8.self))
    }

    @Test("With few descriptors a service works, or ends with a one-line error", arguments: ["host", "companion"])
    func fewDescriptors(_ service: String) throws {
        let program = TestBench.program("watchlink-\(service)").path(percentEncoded: false)
        for limit in Array(3...40) + [48, 56, 63, 64, 66, 67] {
            let result = try shell("ulimit -n \(limit); exec \(program) --state-directory \(bench.state().path)")
            let lines = result.errors.split(separator: "\n")
            if result.code == 127 {
                // The system's loader itself had too few for the libraries.
                #expect(limit < 10, "\(limit): \(result.errors)")
                #expect(result.errors.contains("cannot open shared object file"), "\(limit): \(result.errors)")
            } else {
                #expect(result.code == ExitCode.notConfigured.rawValue, "\(limit): \(result.code) \(result.errors)")
                #expect(lines.count == 1, "\(limit): \(result.errors)")
                #expect(result.errors.contains("too few file descriptors"), "\(limit): \(result.errors)")
            }
        }
        // The documented number is enough, in addition to the three standard descriptors and the signal pipe.
        let process = try BackgroundProcess(
            service, executable: URL(filePath: "/bin/bash"),
            arguments: [
                "-c",
                TestBench.withoutInherited + "ulimit -n 69; exec \(program) --state-directory \(bench.state().path)",
            ])
        process.expectLines(containing: "\(service): ready")
        #expect(process.stop(within: TestBench.limit) == 0)
    }

    @Test("When descriptors run out, accepting stops, which is logged once, and continues when some are free again")
    func descriptorsRunOut() throws {
        let host = try bench.start("host")
        let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.identifier)/fd").count
        func limit(_ count: Int) throws {
            let result = try shell("prlimit --pid \(host.identifier) --nofile=\(count):")
            #expect(result.code == 0, "\(result.errors)")
        }
        try limit(used + 2)
        var peers: [RawPeer] = []
        for _ in 0..<6 { peers.append(try RawPeer(bench.state().linkSocket)) }
        host.expectLines(containing: "accept failed")
        peers.removeAll()
        try limit(used + 40)
        host.expectLines(containing: "accept resumed")
        let status = try bench.watchlink(["status", "--json"])
        #expect(status.output.contains("\"host\""), "\(status.errors)")
        #expect(host.lines.filter { $0.contains("accept failed") }.count == 1)
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("A signal at any time of the start ends a service cleanly", arguments: ["host", "companion"])
    func earlySignals(_ service: String) throws {
        let program = TestBench.program("watchlink-\(service)")
        // From the program's first instruction: before it, the loader runs, which knows nothing of the program.
        for step in 0..<25 {
            let process = try BackgroundProcess(
                service, executable: program,
                arguments: ["--state-directory", bench.state("\(service)-\(step)").path, "--log-level", "debug"])
            // Each start is interrupted some lines later than the one before; the first as soon as the program blocks
            // signals, before any of its effects could be awaited.
            while !process.hasEnded, !Self.holdsSignals(process.identifier) { usleep(200) }
            if step > 0 { _ = process.waitForLines(step / 4, containing: service, within: .milliseconds(step * 4)) }
            let code = process.stop(within: TestBench.limit)
            #expect(code == 0, "step \(step): \(process.lines.suffix(5).joined(separator: "\n"))")
        }
    }

    /// The kernel's words about a process, its masks of signals among them.
    private static func status(of process: Int32) -> String {
        (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    }

    /// Returns true if SIGTERM is blocked or has a handler: bit 15 of the masks in `/proc`.
    private static func holdsSignals(_ process: Int32, masks: [String] = ["SigBlk:", "SigCgt:"]) -> Bool {
        status(of: process).split(separator: "\n").contains { line in
            guard masks.contains(where: line.hasPrefix), let mask = line.split(separator: "\t").last else {
                return false
            }
            return UInt64(mask, radix: 16).map { $0 & (1 << 14) != 0 } ?? false
        }
    }

    @Test("Neither a started service nor another program blocks signals")
    func blockedSignals() throws {
        let host = try bench.start("host")
        #expect(!Self.holdsSignals(host.identifier, masks: ["SigBlk:"]), "\(Self.status(of: host.identifier))")
        #expect(Self.holdsSignals(host.identifier, masks: ["SigCgt:"]), "\(Self.status(of: host.identifier))")
        #expect(!Self.holdsSignals(getpid(), masks: ["SigBlk:"]), "\(Self.status(of: getpid()))")
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("Removed or replaced sockets and locks are recreated, with one log line, and both sides reconnect")
    func socketsVanish() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        let state = bench.state()
        let files = FileManager.default
        let quizzes = try bench.quizzes(1)
        // One at a time: each has its own log line.
        let names = ["link.sock", "host.control.sock", "link.sock.lock", "host.control.sock.lock"]
        for (round, name) in names.enumerated() {
            try files.removeItem(atPath: state.path(of: name))
            host.expectLines(round + 1, containing: "socket renewed")
            #expect(files.fileExists(atPath: state.path(of: name)), "\(name)")
            try bench.expectCode(0, of: ["quizzes", "count"])
        }
        // Replaced by another file, which the service must not remove: this is logged once, and repaired when the file
        // is gone. By one rename: a name that is free for a moment would be recreated.
        let other = try bench.write("other", "x")
        #expect(rename(other, state.linkSocket) == 0)
        host.expectLines(containing: "link.sock exists and is not a socket")
        try files.removeItem(atPath: state.linkSocket)
        companion.kill()
        let again = try bench.start("companion")
        let result = try bench.watchlink(["submit", quizzes, "--wait"])
        #expect(result.code == 0, "\(result.errors)")
        #expect(again.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
        #expect(!files.fileExists(atPath: state.linkSocket))
    }

    @Test("--check and the start refuse with the same text")
    func sameWords() throws {
        let file = try bench.write(
            "wrong.json5", "{\n  log: { file: 'quizzes.sqlite' },\n  link: { heartbeat: 50, soket: 1 } }")
        let arguments = ["--state-directory", bench.state().path, "--config", file]
        let check = try TestBench.run("watchlink-host", arguments + ["--check"])
        let start = try TestBench.run("watchlink-host", arguments)
        #expect(check.code == 6)
        #expect(start.code == 6)
        #expect(check.errors.split(separator: "\n").count == 3, "\(check.errors)")
        #expect(start.errors == "watchlink-host: " + check.errors)
    }

    @Test("A scenario ended by a signal leaves no services or files", arguments: [SIGINT, SIGTERM, SIGKILL])
    func interruptedTrials(_ signal: Int32) throws {
        let folder = bench.path + "/tmp"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let scenario = try bench.write(
            "long.json5",
            "{ name: 'long', summary: 'waits', steps: [ { at: 3600, on: 'watch', do: 'submit' } ], expect: {} }")
        let run = try BackgroundProcess(
            "scenario", executable: TestBench.program("watchlink"),
            arguments: ["scenario", "run", scenario, "--verbose"],
            environment: ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }, mergesOutput: true)
        run.expectLines(2, containing: ": ready")
        let locks = try Self.locks(below: folder)
        defer { for lock in locks { close(lock) } }
        #expect(locks.count == 2)
        let free = locks.filter { flock($0, LOCK_EX | LOCK_NB) == 0 }
        #expect(free == [], "the services do not run")
        run.signal(signal)
        #expect(run.waitForEnd(within: TestBench.limit))
        #expect(Self.areFree(locks), "the services go on")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.count == (signal == SIGKILL ? 1 : 0), "\(left)")
        // The next run removes the files of the killed one.
        let demo = try TestBench.run("watchlink", ["demo"], environment: ["TMPDIR": folder])
        #expect(demo.code == 0, "\(demo.errors)")
        let rest = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(rest == [])
    }

    /// Opens the files that running services hold in a folder.
    private static func locks(below folder: String) throws -> [Int32] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix("/lock") }
            .map { open("\(folder)/\($0)", O_RDWR | O_CLOEXEC) }
    }

    /// Waits until the locks are free, which their processes release when they end.
    private static func areFree(_ locks: [Int32]) -> Bool {
        let free = DispatchSemaphore(value: 0)
        for lock in locks {
            Thread.detachNewThread {
                if flock(lock, LOCK_EX) == 0 { free.signal() }
            }
        }
        return locks.allSatisfy { _ in free.wait(timeout: .now() + TestBench.limit) == .success }
    }
}
