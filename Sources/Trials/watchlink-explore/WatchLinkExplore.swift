import ExploreWords
import Foundation
import Processes
import ServiceRuntime
import VirtualTime

/// A program that runs a phone program and a watch program in virtual time, seed after seed, and reports failures.
@main
enum WatchLinkExplore {
    /// The exit code for findings. The other codes are the same in all programs.
    private static let found: Int32 = 3

    static func main() {
        ToolProgram.run(command, options: ExploreForm.allOptions, help: help) { parsed in
            let form = try ExploreForm(parsed.operands)
            try refuseForeignOptions(parsed, form)
            let words = parsed.operands.dropFirst()
            // Before there is a second thread.
            if form == .explore || form == .services { Signals.hold() }
            let isFound =
                switch form {
                case .explore: try explore(ExploreRequest(parsed), conductor())
                case .services: try explore(services(parsed), conductor())
                case .replay: try Replay(words, parsed).run(conductor())
                case .merge: try Merge(words).run(junit: parsed["junit"], wantsJSON: parsed.has("json"))
                case .skew: try SkewMatrix(words, parsed, conductor()).run()
                case .cassette: try ClaimTrial(words, parsed)?.run() ?? CassetteTrial(words, parsed).run(conductor)
                case .lint: try LintTrial(words, parsed).run(conductor)
                // A failed check is not a finding there: the exit codes are those of “scenario run”.
                case .scenario: try ProgramEnd.exit(ScenarioPlay(parsed, conductor()).run(words), "watchlink scenario")
                }
            guard isFound else { return .success }
            try StandardOutput.flush()
            exit(found)
        }
    }

    /// The command that the user has called, for messages; its form is the first operand.
    private static var command: String {
        let form = CommandLine.arguments.drop { $0 != "--" }.dropFirst().first.flatMap(ExploreForm.init(rawValue:))
        return (form ?? .explore).command
    }

    private static func services(_ parsed: ParsedOptions) throws -> ExploreRequest {
        guard parsed.operands.count == 1 else { throw UsageError("unexpected “\(parsed.operands[1])” after services") }
        return try ExploreRequest(services: parsed)
    }

    private static func conductor() throws -> Conductor { try Conductor(library: LibraryFile().path) }

    /// Rejects options that a form would silently ignore.
    private static func refuseForeignOptions(_ parsed: ParsedOptions, _ form: ExploreForm) throws(UsageError) {
        let foreign = Set(ExploreForm.allOptions.map(\.name)).intersection(parsed.names)
            .subtracting(form.options.map(\.name))
        guard let option = foreign.min() else { return }
        let own = form.options.map { "--\($0.name)" }.joined(separator: ", ")
        throw UsageError("“\(form.words)” has no option --\(option)\(own.isEmpty ? "" : "; it has \(own)")")
    }

    private static func explore(_ request: ExploreRequest, _ conductor: Conductor) throws -> Bool {
        let exploration = try Exploration(request, conductor)
        let summary = try exploration.run(Signals())
        try SummaryReport(summary).write(junit: request.junit, wantsJSON: request.wantsJSON)
        if summary.isGood, let signal = exploration.interruption {
            try StandardOutput.flush()
            Signals.end(by: signal)
        }
        return !summary.isGood
    }

    private static func help(_: OptionParser) -> String {
        """
        watchlink explore: runs a phone program and a watch program in virtual time.

        \(ExploreForm.calls.map { "  watchlink \($0.words)\n      \($0.meaning)" }.joined(separator: "\n"))

        \(ExploreForm.about)

        Examples:
        \(TextTable.text(ExploreForm.examples.map { ["  watchlink " + $0.words, $0.meaning] }))

        \(ExploreForm.programGroups.map(\.help).joined(separator: "\n\n"))
        """
    }
}
