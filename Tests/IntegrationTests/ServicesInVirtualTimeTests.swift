import Foundation
import Testing
import VirtualTime

/// The real services in virtual time: killed in the middle of their work, and judged.
@Suite("Services in virtual time", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ServicesInVirtualTimeTests {
    private func explore(_ arguments: String...) throws -> CommandResult {
        try TestBench.run("watchlink-explore", ["services"] + arguments)
    }

    @Test("Seeds of faults break no promise, and each is reproduced byte for byte")
    func promises() throws {
        let bench = try TestBench()
        func traces(_ name: String) throws -> [Data] {
            let directory = bench.path + "/" + name
            let result = try explore(
                "--seeds", "1...3", "--hours", "0.4", "--quizzes", "24", "--traces", directory, "--jobs",
                name == "one" ? "1" : "2")
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            return try (1...3).map { try Data(contentsOf: URL(filePath: "\(directory)/seed-\($0).txt")) }
        }
        let first = try traces("one")
        let again = try traces("two")
        #expect(first == again)
        let text = first.map { String(decoding: $0, as: UTF8.self) }.joined()
        for part in ["host", "companion"] {
            let kills = text.matches(of: try Regex("== \(part), from .* seconds: killed"))
            #expect(kills.count > 0, "\(text)")
            let ends = text.matches(of: try Regex("== \(part), from .* seconds: finished"))
            #expect(ends.count > 0, "\(text)")
        }
        let verdicts = text.matches(of: try Regex("[0-9]+ payloads accepted, nothing lost or duplicated"))
        #expect(verdicts.count > 0, "\(text)")
        #expect(text.contains("faults changed") || text.contains("link conditioned"), "\(text)")
    }

    /// The torture and its services, as the command starts them, and another program.
    private static func script(_ thief: (at: Duration, words: [String])? = nil) throws -> Script {
        func program(_ name: String, _ words: [String]) -> Program {
            let path = TestBench.program("watchlink-\(name)").path(percentEncoded: false)
            return Program(name: name, executable: path, arguments: words)
        }
        let torture = program(
            "torture", ["--directed", "{world}", "--seed", "5", "--hours", "0.2", "--quizzes", "8", "--kills", "0"])
        let cast = ["host", "companion"].map {
            program($0, ["--state-directory", "{world}/state", "--config", "{world}/\($0).json5"])
        }
        var lines: [Script.Line] = [.init(at: .zero, .start(torture))]
        if let thief {
            let watchlink = TestBench.program("watchlink").path(percentEncoded: false)
            let program = Program(
                name: "thief", executable: watchlink,
                arguments: ["--state-directory", "{world}/state"] + thief.words)
            lines.append(.init(at: thief.at, .start(program)))
        }
        return try Script(lines, end: .seconds(7_200), direction: Direction(director: "torture", cast: cast))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("A quiz removed from the host is missed, by its name")
    func stolen() throws {
        let conductor = try Conductor()
        let fair = try conductor.perform(Self.script(), JointCourse(seed: 5))
        let torture = try #require(fair.processes.first { $0.name == "torture" })
        #expect(torture.fate == .ended(.finished), "\(text(torture.errors))")
        let logs = fair.processes.filter { $0.name == "host" }.map { text($0.errors) }.joined()
        let match = try #require(
            logs.firstMatch(of: try Regex("host: quiz stored package=([0-9A-F-]{36})", as: (Substring, Substring).self))
        )
        let quiz = String(match.1)
        // A moment before the torture judges.
        let robbed = try conductor.perform(
            Self.script((fair.virtualTime - .seconds(1), ["quizzes", "delete", quiz])), JointCourse(seed: 5))
        let judge = try #require(robbed.processes.first { $0.name == "torture" })
        #expect(judge.fate == .ended(.exited(code: 1)))
        let thief = robbed.processes.first { $0.name == "thief" }
        #expect(
            text(judge.errors).contains("FINDING: payload \(quiz) was accepted, but is stored 0 times\n"),
            "\(String(describing: thief?.fate)) \(text(judge.errors)) \(text(thief?.output ?? []))\(text(thief?.errors ?? []))"
        )
    }

    @Test("A service that does not start is a finding, as text")
    func absent() throws {
        let sleeper = Program(name: "host", executable: "/bin/sleep", arguments: ["100000"])
        let path = TestBench.program("watchlink-torture").path(percentEncoded: false)
        let torture = Program(name: "torture", executable: path, arguments: ["--directed", "{world}", "--seed", "1"])
        let script = try Script(
            [.init(at: .zero, .start(torture))], end: .seconds(7_200),
            direction: Direction(director: "torture", cast: [sleeper]))
        let performance = try Conductor().perform(script, JointCourse(seed: 1))
        let errors = text(performance.processes[0].errors)
        #expect(errors.hasSuffix("FINDING: the host does not start\n"), "\(errors)")
        #expect(performance.processes[0].fate == .ended(.exited(code: 1)))
    }

    @Test(
        "Invalid arguments are answered with the allowed values",
        arguments: [
            (["--hours", "0"], "--hours 0: it must be a number from 0.01 to 744"), (["--quizzes", "0"], "1 to 100000"),
            (["--kills", "x"], "--kills x: it must be a number from 0 to 1000"), (["more"], "unexpected"),
        ])
    func wrongWords(_ words: [String], _ message: String) throws {
        for (program, first) in [
            ("watchlink-explore", ["services"]), ("watchlink-torture", ["--directed", "/nowhere"]),
        ] {
            let result = try TestBench.run(program, first + words)
            #expect(result.code == 2, "\(result.output)")
            #expect(result.errors.contains(message) || words == ["more"], "\(result.errors)")
        }
    }
}
