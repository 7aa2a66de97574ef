import Configuration
import ControlSocket
import EventLog
import Foundation
import Glibc
import Processes
import QuizSync
import ServiceRuntime
import Trials
import Words

/// Demonstrates the path of a quiz with the real services.
enum DemoCommand: Command {
    static let name = "demo"
    static let summary = "run both services and deliver quizzes"
    static let forms = [
        CommandForm("demo [FILE…]", "start both services, send quizzes, show logs, database and statuses, stop")
    ]
    static let options = [CommandOptions.logLevel]
    static let examples = [
        CommandForm("demo", "use the sample quiz"),
        CommandForm("demo my.json --log-level debug", "use your own quiz and log every frame"),
    ]

    /// The time limits for starting and stopping a service, and for all quizzes to arrive.
    private static let startLimit: DispatchTimeInterval = .seconds(10)
    private static let stopLimit: DispatchTimeInterval = .seconds(10)
    private static let arrivalLimit: Duration = .seconds(30)

    static func run(_ invocation: Invocation) throws -> ExitCode {
        if let level = invocation.options["log-level"], LogLevel(name: level) == nil {
            throw WordError.unknown(level, subject: "--log-level", allowed: LogLevel.allCases.map(\.description))
        }
        let documents =
            invocation.words.isEmpty
            ? try sample()
            : try invocation.words.flatMap { name in try QuizFile.documents(in: name).map { (name, $0) } }
        ScratchDirectory.removeAllOnSignals()
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let directory = scratch.url
        let host = try start("host", directory, invocation)
        defer { _ = host.stop(within: stopLimit) }
        let companion = try start("companion", directory, invocation)
        defer { _ = companion.stop(within: stopLimit) }

        let state = StateDirectory(option: directory.path(percentEncoded: false))
        let results = try submit(documents, state, companion, host)
        if !invocation.wantsJSON { try show(state, results) }
        try stop(companion)
        try stop(host)
        if invocation.wantsJSON { try StandardOutput.print(JSONValue.array(results.map(\.json)).text(pretty: true)) }
        let arrived = results.filter { $0.status == "replied" }.count
        guard arrived == results.count else {
            throw CommandError(
                "step “deliver” failed: \(results.count - arrived) of \(results.count) quizzes did not arrive")
        }
        if !invocation.wantsJSON {
            try StandardOutput.print(
                "\n\(arrived == 1 ? "The quiz" : "All \(arrived) quizzes") arrived; both services stopped cleanly.")
        }
        return .success
    }

    // MARK: - Steps

    private static func start(_ service: String, _ directory: URL, _ invocation: Invocation) throws -> BackgroundProcess
    {
        let program = TrialServices.ownPrograms.appending(path: "watchlink-\(service)")
        guard FileManager.default.isExecutableFile(atPath: program.path(percentEncoded: false)) else {
            throw CommandError(
                "step “start \(service)” failed: \(program.path(percentEncoded: false)) does not exist; run swift build first",
                .notConfigured)
        }
        let arguments = [
            "--state-directory", directory.path(percentEncoded: false), "--log-level",
            invocation.options["log-level"] ?? "info",
        ]
        let (label, isJSON) = (DemoOutput.label(service), invocation.wantsJSON)
        let process: BackgroundProcess
        do {
            process = try BackgroundProcess(service, executable: program, arguments: arguments) { line in
                DemoOutput.log(label + line, asJSON: isJSON)
            }
        } catch {
            throw CommandError("step “start \(service)” failed: \(error)")
        }
        guard process.waitForLines(containing: "\(service): ready", within: startLimit) else {
            _ = process.stop(within: stopLimit)
            throw CommandError("step “start \(service)” failed: it did not become ready; see its log above")
        }
        return process
    }

    private static func submit(
        _ documents: [(String, QuizDocument)], _ state: StateDirectory, _ companion: BackgroundProcess,
        _ host: BackgroundProcess
    ) throws -> [SubmitResult] {
        do {
            let client = RetryingClient(patience: .zero) { () throws(ControlClient.Failure) in
                try ControlClient(path: state.companionControlSocket)
            } onLost: { _ in
            }
            var submission = Submission(try documents.map { ($0, try QuizFile.value(of: $1)) }, client)
            try submission.submit { _ in }
            try submission.wait(within: arrivalLimit) { reason in
                StandardOutput.report("waiting: \(reason)")
            } _: { _ in
            }
            return submission.results
        } catch {
            throw CommandError("step “submit” failed: \(CommandError(any: error, service: "companion").message)")
        }
    }

    private static func show(_ state: StateDirectory, _ results: [SubmitResult]) throws {
        do throws(ControlClient.Failure) {
            let host = try ControlClient(path: state.hostControlSocket)
            let quizzes = try host.call("quizzes.list").array ?? []
            let onHost = try host.call("history").array ?? []
            let onCompanion = try ControlClient(path: state.companionControlSocket).call("history").array ?? []
            StandardOutput.report(
                "\nThe host's database contains \(quizzes.count) quiz\(quizzes.count == 1 ? "" : "zes"):")
            for quiz in quizzes {
                let average = String(format: "%.2f", quiz["gradePointAverage"]?.number ?? 0)
                StandardOutput.report(
                    "  \(quiz["identifier"]?.string ?? "?")  average \(average)  \(TerminalText.printable(quiz["title"]?.string ?? "?"))"
                )
            }
            StandardOutput.report("\nStatuses of each message:")
            for result in results {
                guard let identifier = result.identifier, result.status != "rejected" else {
                    StandardOutput.report("  \(result.file): rejected: \(result.reason ?? "?")")
                    continue
                }
                StandardOutput.report("  \(identifier)")
                StandardOutput.report("    companion  \(way(identifier, onCompanion))")
                StandardOutput.report("    host       \(way(identifier, onHost))")
            }
        } catch {
            throw CommandError("step “show” failed: \(error)")
        }
    }

    private static func way(_ identifier: String, _ history: [JSONValue]) -> String {
        let statuses = history.first { $0["identifier"]?.string == identifier }?["statuses"]?.array ?? []
        return statuses.isEmpty ? "nothing" : statuses.compactMap(\.string).joined(separator: " → ")
    }

    private static func stop(_ process: BackgroundProcess) throws {
        guard let code = process.stop(within: stopLimit) else {
            process.kill()
            throw CommandError("step “stop \(process.label)” failed: it did not exit in time")
        }
        guard code == 0 else { throw CommandError("step “stop \(process.label)” failed: it exited with \(code)") }
    }

    // MARK: - Sample

    private static func sample() throws -> [(String, QuizDocument)] {
        let name = "sample-quiz.json"
        return try QuizDocument.documents(Data((EmbeddedFiles.all[name] ?? "").utf8)).map { (name, $0) }
    }
}
