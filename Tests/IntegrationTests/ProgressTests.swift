import Foundation
import Glibc
import Processes
import ServiceRuntime
import Testing

/// Tests that a waiting user sees progress.
@Suite("Progress", .timeLimit(.minutes(5)))
struct ProgressTests {
    private static let erased = "\r\u{1B}[K"

    private let bench: TestBench
    init() throws { bench = try TestBench() }

    /// Starts a command whose standard error is a terminal, and whose standard output is not unless given.
    private func start(
        _ words: [String], _ terminal: PseudoTerminal, input: Pipe? = nil, output: FileHandle? = nil
    )
        throws -> Process
    {
        let process = Process()
        process.executableURL = TestBench.program("watchlink")
        process.arguments = ["--state-directory", bench.state().path] + words
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = terminal.end
        try process.run()
        return process
    }

    @Test("A command that waits for ends shows their number, and then clears the line")
    func waiting() throws {
        let companion = try bench.start("companion", config: "{ link: { longestReconnect: 0.1 } }")
        let terminal = try PseudoTerminal()
        let command = try start(["submit", try bench.quizzes(2), "--wait"], terminal)
        // The reason for waiting is shown after a delay without a new line.
        #expect(terminal.waitFor("waiting: not connected to the host"), "\(terminal.text)")
        let host = try bench.start("host")
        #expect(terminal.waitFor("\(Self.erased)quizzes settled: 1 of 2 (50 %)"), "\(terminal.text)")
        command.waitUntilExit()
        #expect(command.terminationStatus == 0)
        #expect(terminal.waitFor("(50 %)\(Self.erased)"), "\(terminal.text)")
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test(
        "Submitting a large file shows the number of quizzes read before the first is sent, also beside the results"
    )
    func reading() throws {
        let terminal = try PseudoTerminal()
        let command = try start(["submit", try bench.quizzes(40_000)], terminal, output: terminal.end)
        #expect(terminal.waitFor("\(Self.erased)quizzes read: "), "\(terminal.text)")
        // No service accepts them. A slow command prints so much that the terminal must be read until it ends.
        #expect(terminal.waitFor("the companion is not running"), "\(terminal.text)")
        command.waitUntilExit()
        #expect(command.terminationStatus == ExitCode.notRunning.rawValue)
        let (line, answer) = (
            try #require(terminal.text.range(of: "quizzes read")), terminal.text.range(of: "is not running")
        )
        #expect(answer.map { line.lowerBound < $0.lowerBound } == true)
    }

    @Test("A signal ends an exploration with a summary", arguments: [SIGINT, SIGTERM])
    func interrupted(_ signal: Int32) throws {
        let (terminal, output) = (try PseudoTerminal(), Pipe())
        let pair = TestBench.program("QuizPair").path(percentEncoded: false)
        let words = ["explore", "--phone", pair, "--watch", pair, "--kills", "0", "--seeds", "1...1000000"]
        let command = try start(words, terminal, output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        #expect(terminal.waitFor("seeds: "), "\(terminal.text)")
        kill(command.processIdentifier, signal)
        let name = signal == SIGINT ? "SIGINT" : "SIGTERM"
        #expect(terminal.waitFor("\(name): no new seed is started"), "\(terminal.text)")
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains(" seeds in ") && text.contains("with a finding; stopped before the last\n"), "\(text)")
        command.waitUntilExit()
        #expect(command.terminationReason == .uncaughtSignal && command.terminationStatus == signal)
    }

    @Test("Results on the same terminal show the progress themselves")
    func listing() throws {
        let companion = try bench.start("companion", config: "{ link: { longestReconnect: 0.1 } }")
        let terminal = try PseudoTerminal()
        let command = try start(["submit", try bench.quizzes(2), "--wait"], terminal, output: terminal.end)
        #expect(terminal.waitFor("waiting: not connected to the host"), "\(terminal.text)")
        let host = try bench.start("host")
        #expect(terminal.waitFor(" replied"), "\(terminal.text)")
        command.waitUntilExit()
        #expect(!terminal.text.contains("quizzes settled"), "\(terminal.text)")
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("An import shows the number of imported quizzes")
    func importing() throws {
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        try bench.expectCode(0, of: ["submit", try bench.quizzes(1), "--wait"])
        let exported = try bench.watchlink(["quizzes", "export"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        let quiz = exported.dropFirst().dropLast()
        let (terminal, input) = (try PseudoTerminal(), Pipe())
        let command = try start(["quizzes", "import", "-"], terminal, input: input)
        try input.fileHandleForReading.close()
        let writing = input.fileHandleForWriting
        try writing.write(contentsOf: Data("[\(quiz)".utf8))
        let isShown = try terminal.waitFor("\(Self.erased)quizzes: ", feeding: writing, Data(",\(quiz)".utf8))
        #expect(isShown, "\(terminal.text)")
        try writing.write(contentsOf: Data("]".utf8))
        try writing.close()
        command.waitUntilExit()
        #expect(command.terminationStatus == 0, "\(terminal.text)")
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("A timeline shows the number of lines read, also for a log with few events")
    func timeline() throws {
        let host = try bench.start("host")
        #expect(host.stop(within: TestBench.limit) == 0)
        let log = try String(contentsOfFile: bench.state().path(of: "host.log"), encoding: .utf8)
        let event = try #require(log.split(separator: "\n").first)
        let noise = String(repeating: "another program's line\n", count: 100)
        let path = bench.path + "/host.log"
        try #require(mkfifo(path, 0o600) == 0)
        let terminal = try PseudoTerminal()
        let command = try start(["timeline", path], terminal)
        let writing = try #require(FileHandle(forWritingAtPath: path))
        let isShown = try terminal.waitFor(
            "\(Self.erased)lines: ", feeding: writing, Data("\(noise)\(event)\n\(noise.dropLast(2_000))".utf8))
        #expect(isShown, "\(terminal.text)")
        try writing.close()
        command.waitUntilExit()
        #expect(command.terminationStatus == 0, "\(terminal.text)")
    }
}
