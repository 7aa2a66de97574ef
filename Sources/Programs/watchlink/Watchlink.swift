import Foundation
import Processes
import ServiceRuntime
import Storage
import Words

/// The command line: finds and runs a command, and converts errors to messages and exit codes.
@main
enum Watchlink {
    static let commands: [any Command.Type] = [
        DemoCommand.self, RunCommand.self, SubmitCommand.self, OutboxCommand.self, StatusCommand.self,
        WatchCommand.self,
        QuizzesCommand.self, RecordsCommand.self,
        LedgerCommand.self, TimelineCommand.self, MetricsCommand.self, LogLevelCommand.self, DoctorCommand.self,
        DeviceCommand.self, WatchesCommand.self, LinkCommand.self, FaultsCommand.self, ScenarioCommand.self,
        ExploreCommand.self, RecordCommand.self, ReplayCommand.self, SkewCommand.self, ContractCommand.self,
        LintCommand.self, AdoptCommand.self, NewCommand.self, InspectCommand.self,
        InstallCommand.self,
        UninstallCommand.self,
        ManCommand.self, CompletionCommand.self,
    ]

    private static let name = "watchlink"

    static let examples: [CommandForm] = [
        CommandForm("demo", "run both services in a scratch directory and deliver a quiz"),
        CommandForm("run --phone App --watch App", "run your own programs as a linked phone and watch"),
        CommandForm("submit quiz.json --wait", "submit a quiz to the companion and wait for the host's reply"),
        CommandForm("status", "show both services"),
        CommandForm("watch", "show both services, live"),
        CommandForm("timeline host.log companion.log > timeline.html", "draw what happened"),
        CommandForm("quizzes list", "list the host's quizzes"),
        CommandForm("doctor", "find problems in the set-up"),
        CommandForm("link companion condition bluetooth-far", "simulate a link with a long delay"),
        CommandForm("help quizzes", "explain one command"),
    ]

    /// The options of all commands, without duplicates.
    static let allOptions: [OptionDefinition] = {
        var options = CommandOptions.common
        for option in commands.flatMap({ $0.options }) where !options.contains(where: { $0.name == option.name }) {
            options.append(option)
        }
        return options
    }()

    static func main() {
        // Errors begin with the command, as those of the programs that this one starts for some commands.
        var (name, help) = (Self.name, "watchlink --help")
        do throws(any Error) {
            let parsed = try OptionParser(allOptions).parse(Array(CommandLine.arguments.dropFirst()))
            if parsed.has("version") {
                try StandardOutput.print(
                    Version.text(name, sqlite: DatabaseLibrary.version, asJSON: parsed.has("json")))
                ProgramEnd.exit(.success, name)
            }
            var words = parsed.operands[...]
            let wantsHelp = parsed.has("help") || words.first == "help"
            if words.first == "help" { words = words.dropFirst() }
            guard let word = words.popFirst() else {
                try StandardOutput.print(Self.help)
                ProgramEnd.exit(wantsHelp ? .success : .usage, name)
            }
            let command = try command(word)
            (name, help) = ("\(name) \(word)", "\(name) help \(word)")
            guard !wantsHelp else {
                try StandardOutput.print(command.help)
                ProgramEnd.exit(.success, name)
            }
            try refuseForeignOptions(parsed, command)
            ProgramEnd.exit(try command.run(Invocation(options: parsed, words: Array(words))), name)
        } catch  where error is UsageError || error is WordError {
            ProgramEnd.fail("\(error)\nTry “\(help)”.", .usage, name)
        } catch let error as CommandError {
            ProgramEnd.fail(error.message, error.code, name)
        } catch let error as StandardOutput.Failure {
            ProgramEnd.failed(error, name)
        } catch {
            ProgramEnd.fail(error.report, .failure, name)
        }
    }

    private static func command(_ name: String) throws(UsageError) -> any Command.Type {
        if let command = commands.first(where: { $0.name == name }) { return command }
        throw UsageError(
            "unknown command “\(name)”" + NearestWord.hint(name, among: commands.map { $0.name }))
    }

    /// Refuses options that the command would silently ignore.
    private static func refuseForeignOptions(
        _ parsed: ParsedOptions, _ command: any Command.Type
    ) throws(UsageError) {
        let known = (CommandOptions.common + command.options).map(\.name)
        guard let foreign = parsed.names.subtracting(known).min() else { return }
        let own = command.options.map { "--\($0.name)" }.joined(separator: ", ")
        throw UsageError("\(command.name) has no option --\(foreign)\(own.isEmpty ? "" : "; it has \(own)")")
    }

    private static var help: String {
        """
        watchlink: controls the two services and shows their data.

        Examples:
        \(TextTable.text(examples.map { ["  watchlink " + $0.words, $0.meaning] }))

        Commands (“watchlink help COMMAND” explains one):
        \(TextTable.text(commands.map { ["  " + $0.name, $0.summary] }))

        Options of every command, anywhere on the command line:
        \(OptionParser(CommandOptions.common).help)

        Exit codes: \(ExitCode.allCases.map(\.description).joined(separator: ", ")).
        Manual pages: \(ManualPage.titles.joined(separator: ", ")).
        """
    }
}
