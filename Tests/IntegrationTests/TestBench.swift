import Foundation
import Processes
import QuizSync
import ServiceRuntime
import TestSupport
import Testing

/// A scratch directory in which a test starts the real programs.
final class TestBench: Sendable {
    /// The time-out of everything awaited; only a broken program reaches it. Sanitized programs run about ten times as
    /// long, and several of them share a machine's two processors.
    static let limit: DispatchTimeInterval = .seconds(isSanitized ? 180 : 30)

    /// True if a sanitizer is built in, here and in the services: memory figures are meaningless then.
    static let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

    private let scratch: Scratch
    var path: String { scratch.path }

    init() throws { scratch = try Scratch() }

    /// A state directory below the scratch directory.
    func state(_ name: String = "state") -> StateDirectory { StateDirectory(option: path + "/" + name) }

    func write(_ name: String, _ text: String) throws -> String { try scratch.write(name, text) }

    /// Removes a database as if its service had never had one: together with the mark that would reveal the loss.
    func removeDatabase(_ name: String) throws {
        for file in [name, name + "-wal", name + "-shm", ".\(name).mark"] {
            let path = state().path(of: file)
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }

    /// The programs are in the directory of the tests.
    static func program(_ name: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
    }

    /// Puts an executable copy of a file in place.
    ///
    /// Another process writes it: had this one the copy open for writing while another test starts a program, that program
    /// would inherit the descriptor until its `exec`, and starting the copy would fail with “Text file busy”.
    static func install(_ file: String, at place: String) throws {
        let result = try run(URL(filePath: "/usr/bin/install"), ["-m", "700", file, place])
        try #require(result.code == 0, "\(result)")
    }

    /// Starts a service and waits until it is ready.
    func start(
        _ service: String, state: StateDirectory? = nil, config: String? = nil, level: String = "info",
        environment: [String: String] = [:]
    ) throws -> BackgroundProcess {
        var arguments = ["--state-directory", (state ?? self.state()).path, "--log-level", level]
        if let config {
            arguments += ["--config", try write("\(service)-\(UUID().uuidString.prefix(4)).json5", config)]
        }
        let process = try BackgroundProcess(
            service, executable: Self.program("watchlink-\(service)"), arguments: arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
        try #require(
            process.waitForLines(containing: "\(service): ready", within: Self.limit),
            "\(service) did not start: \(process.lines.joined(separator: "\n"))")
        return process
    }

    /// Records the devices of one undisturbed seed in the directory “cassettes”.
    func record(_ devices: [String]) throws {
        let explored = try Self.run(
            "watchlink",
            ["explore"] + devices + [
                "--seeds", "1...1", "--kills", "0", "--hazards", "none", "--record", "\(path)/cassettes",
            ])
        try #require(explored.code == 0, "\(explored.output)\(explored.errors)")
    }

    /// Runs the command line to its end.
    func watchlink(_ arguments: [String], state: StateDirectory? = nil, input: String? = nil) throws -> CommandResult {
        try Self.run("watchlink", ["--state-directory", (state ?? self.state()).path] + arguments, input: input)
    }

    /// Runs the command line to its end, and expects an exit code; a failure shows what the command printed.
    func expectCode(
        _ code: Int32, of arguments: [String], state: StateDirectory? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try watchlink(arguments, state: state)
        #expect(result.code == code, "\(arguments): \(result)", sourceLocation: sourceLocation)
    }

    /// Makes a bash continue with only the three standard descriptors, whatever other processes have open.
    static let withoutInherited =
        "for f in /proc/$$/fd/*; do f=${f##*/}; [ $f -le 2 ] || [ $f -eq 255 ] || eval \"exec $f>&-\"; done; "

    /// Runs a line of bash to its end; its background processes continue.
    static func shell(_ line: String) throws -> CommandResult {
        // Foundation waits for a process by a socket that background processes would inherit.
        try run(URL(filePath: "/bin/bash"), ["-c", withoutInherited + line])
    }

    static func run(
        _ program: String, _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
    ) throws -> CommandResult {
        try run(Self.program(program), arguments, input: input, environment: environment)
    }

    static func run(
        _ executable: URL, _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
    ) throws -> CommandResult {
        let process = Process()
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.executableURL = executable
        process.arguments = arguments
        let (output, stdin) = (Pipe(), Pipe())
        // A file takes any number of lines. A second pipe would be full while the first is read, and the program would wait.
        let errors = try unnamedFile()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = stdin
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
        try stdin.fileHandleForWriting.close()
        let out = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try errors.seek(toOffset: 0)
        let err = try errors.readToEnd() ?? Data()
        return CommandResult(
            code: process.terminationStatus, output: String(decoding: out, as: UTF8.self),
            errors: String(decoding: err, as: UTF8.self))
    }

    private static func unnamedFile() throws -> FileHandle {
        let file = try #require(tmpfile(), "tmpfile: \(String(cString: strerror(errno)))")
        defer { fclose(file) }
        return FileHandle(fileDescriptor: dup(fileno(file)), closeOnDealloc: true)
    }

    /// Returns a quiz file with so many quizzes, each with its number in the title; the identifiers differ each time.
    func quizzes(_ count: Int, file: String = "quizzes.json") throws -> String {
        let choice = "3 to 4 servings \(UUID())"
        let quizzes = (0..<count).map { number in
            """
            {"title": "Quiz \(number)", "takenAt": "2026-11-20T18:30:00Z", "answers": [
              {"question": "Vegetables today?", "choice": "\(choice)", "points": 3}]}
            """
        }
        return try write(file, "[" + quizzes.joined(separator: ",") + "]")
    }

    /// Returns the titles in the host's database, in the order of arrival.
    func titles(state: StateDirectory? = nil) throws -> [String] {
        let list = try watchlink(["quizzes", "list", "--json"], state: state)
        return try JSONDecoder().decode([Listed].self, from: Data(list.output.utf8)).map(\.title)
    }

    private struct Listed: Decodable {
        let title: String
    }
}

extension BackgroundProcess: CustomTestStringConvertible {
    /// An expectation of a program that fails shows the end of its log.
    package var testDescription: String { ([label] + lines.suffix(100)).joined(separator: "\n") }
}

struct CommandResult {
    let code: Int32
    let output: String
    let errors: String
}
