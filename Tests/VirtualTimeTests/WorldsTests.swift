import Foundation
import Testing

@testable import VirtualTime

/// Tests of the worlds of a real program, which forks them first thing in its main function.
@Suite("Worlds", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct WorldsTests {
    private struct Report {
        let lines: [String]
        let status: Int32
        let words: [String]

        /// The lines with outcomes.
        var outcomes: [String] { lines.filter { $0.hasPrefix("seed ") } }
    }

    private func program(_ words: String..., coreFiles: Bool = false) throws -> Report {
        let process = Process()
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("WorldsProgram")
        process.executableURL = coreFiles ? URL(fileURLWithPath: "/bin/sh") : program
        let allowing = ["-c", #"ulimit -S -c "$(ulimit -H -c)"; exec "$0" "$@""#, program.path]
        process.arguments = coreFiles ? allowing + words : words
        process.environment = ["SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
        return Report(lines: lines, status: process.terminationStatus, words: words)
    }

    @Test("An hour on the world's clocks passes immediately, and the seed decides everything")
    func hour() throws {
        let (first, second) = (try program("sleep", "run", "1"), try program("sleep", "run", "1"))
        #expect(first.lines.first?.hasPrefix("seed 1: finished; ") == true, "\(first.lines)")
        #expect(first.lines.last?.contains("slept until 2026-01-01 01:00:00 +0000") == true, "\(first.lines)")
        #expect(first.lines == second.lines)
        let other = try program("sleep", "run", "2")
        #expect(other.lines.last != first.lines.last)
    }

    @Test(
        "Every ending of a world gives an outcome, and the program that runs it continues",
        arguments: [
            ("fails", "failed: stored 3 of 21"), ("deadlock", "deadlocked: "), ("trap", "ended by signal \(SIGILL)"),
            ("abort", "ended by signal \(SIGABRT)"), ("exits", "exited with code 7"), ("children", "finished"),
        ])
    func endings(_ body: String, _ ending: String) throws {
        let report = try program(body, "run", "9")
        #expect(report.outcomes.first?.hasPrefix("seed 9: \(ending)") == true, "\(report.lines)")
        #expect(report.status == 0)
    }

    @Test("A world that crashes writes no core file, even where a person allows them")
    func coreLimit() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        let report = try program("core-limit", "run", "1", coreFiles: true)
        let least = min(limit.rlim_max, 1)
        #expect(report.lines.last?.hasSuffix("core \(least)") == true, "\(report.lines)")
    }

    @Test("A world that takes too long is killed, and the next one runs; an endless one ends at its horizon")
    func limits() throws {
        let report = try program("sleepless", "limit", "200")
        #expect(report.outcomes.count == 2, "\(report.lines)")
        #expect(
            report.outcomes.first?.hasPrefix("seed 1: took too much real time, as an endless loop does; ") == true,
            "\(report.lines)")
        #expect(
            report.outcomes.last?.hasPrefix("seed 1: did not finish before its virtual time was up; ") == true,
            "\(report.lines)")
    }

    @Test("A trace that is too long is cut, and the missing lines are counted")
    func longTrace() throws {
        let report = try program("long-trace", "run", "1")
        let words = try #require(report.lines.first).split(separator: " ")
        let bytes = try #require(words.firstIndex(of: "bytes").flatMap { Int(words[$0 - 1]) })
        let dropped = try #require(words.firstIndex(of: "dropped;").flatMap { Int(words[$0 - 1]) })
        #expect(bytes <= 16 << 20)
        #expect(bytes > (16 << 20) - 100)
        #expect(dropped > 0)
        #expect(dropped < 2_000_000)
    }

    @Test("The same seeds give the same worlds with one job and with three, and on repetition")
    func jobs() throws {
        let one = try program("tasks", "seeds", "1", "40", "1")
        #expect(one.outcomes.count == 40)
        #expect(one.outcomes.filter { !$0.contains(": finished; ") } == [])
        let traces = one.lines.joined(separator: "\n").split(separator: "seed ").dropFirst().map {
            $0.drop { $0 != "\n" }
        }
        #expect(Set(traces).count > 1, "40 seeds gave one order")
        func worlds(_ report: Report) -> [String] { report.lines.filter { !$0.hasPrefix("left: ") } }
        let three = try program("tasks", "seeds", "1", "40", "3")
        #expect(worlds(three) == worlds(one))
    }

    @Test("Many worlds, even crashing ones, leave no descriptors or processes behind", arguments: ["tasks", "trap"])
    func leftovers(_ body: String) throws {
        let report = try program(body, "seeds", "1", "300", "2")
        #expect(report.outcomes.count == 300)
        let left = report.lines.filter { $0.hasPrefix("left: ") }
        #expect(left.count == 2, "\(left)")
        #expect(left.first == left.last, "\(left)")
        #expect(left.first?.hasSuffix(" 2 children") == true, "\(left)")
    }

    @Test("The caller can stop after an outcome, and worlds still running do not affect the next call")
    func stopping() throws {
        let report = try program("uneven", "first", "0")
        #expect(report.lines.first == "stopped after 1")
        let alone = try program("uneven", "seeds", "1", "6", "1").lines.filter { !$0.contains(": ") }
        #expect(alone.count == 6)
        #expect(Array(report.lines.dropFirst()) == alone)
    }

    @Test("A run is compared with its repetition")
    func check() throws {
        let repeated = try program("tasks", "check", "5")
        #expect(repeated.lines.last == "repeatable", "\(repeated.lines)")
        // No course decides the machine's clock.
        let report = try program("unrepeatable", "check", "5")
        #expect(report.lines.last?.contains("the first time, and") == true, "\(report.lines)")
    }

    @Test("A lost update is found, shrunk completely, and replayed from its file")
    func lostUpdate() throws {
        let report = try program("lost-update", "seeds", "1", "20", "2")
        let failing = try #require(report.outcomes.first { $0.contains("failed: stored") })
        let seed = String(failing.split(separator: " ")[1].dropLast())
        let path = FileManager.default.temporaryDirectory.path + "/finding-\(UUID()).json"
        defer { unlink(path) }
        let shrunk = try program("lost-update", "shrink", seed, path)
        #expect(shrunk.lines.dropFirst().first == "1 departures, complete true", "\(shrunk.lines)")
        // The next addition happens after 60 ms.
        #expect(shrunk.lines.dropFirst(2).first?.hasSuffix(": latency 60 of 100") == true, "\(shrunk.lines)")
        let replayed = try program("lost-update", "replay", path)
        #expect(replayed.lines.first == shrunk.lines.last)
        #expect(replayed.lines.last == "same: true, divergence: nil", "\(replayed.lines)")
    }

    @Test("A process with several threads cannot create worlds, nor can one with no jobs or too many")
    func refusals() throws {
        #expect(throws: WorldsError.jobs(0)) { try Worlds(jobs: 0) {} }
        #expect(throws: WorldsError.jobs(257)) { try Worlds(jobs: 257) {} }
        let report = try program("tasks", "threads", "1")
        #expect(report.lines == ["\(WorldsError.severalThreads)"])
    }
}
