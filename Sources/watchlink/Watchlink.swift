import Foundation
import Glibc
import ServiceRuntime

/// The command line: finds the command, runs it, turns errors into messages and exit codes.
@main
enum Watchlink {
    static let commands: [any Command.Type] = [
        DemoCommand.self, SubmitCommand.self, StatusCommand.self, QuizzesCommand.self, DeviceCommand.self,
        WatchesCommand.self, LinkCommand.self, FaultsCommand.self, ScenarioCommand.self,
        LedgerCommand.self, InspectCommand.self,
    ]

    private static let options = [
        OptionDefinition(
            "state-directory", placeholder: "DIR",
            help: "where the services' sockets and databases lie (else $\(StateDirectory.environmentVariable))"),
        OptionDefinition(
            "host-socket", placeholder: "PATH", help: "the host's control socket, if its configuration moved it"),
        OptionDefinition("companion-socket", placeholder: "PATH", help: "the companion's, likewise"),
        OptionDefinition(
            "control", placeholder: "PATH", help: "device, watches, link, faults, ledger: any device's control socket"),
        OptionDefinition("follow", short: "f", help: "ledger: go on with what happens next"),
        OptionDefinition("limit", placeholder: "N", help: "ledger: the latest so many; 100"),
        OptionDefinition("message", placeholder: "UUID", help: "ledger: only this one"),
        OptionDefinition("json", help: "one JSON value, for programs"),
        OptionDefinition("wait", help: "submit: until every quiz is replied to or has failed"),
        OptionDefinition(
            "device", placeholder: "UUID", help: "quizzes, link: which device's, where there are several"),
        OptionDefinition("format", placeholder: "FORMAT", help: "quizzes export: json or csv"),
        OptionDefinition("seed", placeholder: "N", help: "scenario: what is left to chance; 1"),
        OptionDefinition("junit", placeholder: "FILE", help: "scenario: the outcome for a CI server"),
        OptionDefinition("verbose", help: "scenario: the services' logs as well"),
        OptionDefinition("log-level", placeholder: "LEVEL", help: "demo: the services' log level"),
        OptionDefinition("help", short: "h", help: "this text"),
        OptionDefinition("version", help: "version and commit"),
    ]

    static func main() {
        let parser = OptionParser(options)
        do throws(any Error) {
            let parsed = try parser.parse(Array(CommandLine.arguments.dropFirst()))
            if parsed.has("version") {
                print(Version.line("watchlink"))
                return
            }
            guard let name = parsed.operands.first, !parsed.has("help") else {
                print(help(parser))
                (parsed.has("help") ? ExitCode.success : .usage).exit()
            }
            guard let command = commands.first(where: { $0.name == name }) else {
                let hint = NearestWord.of(name, among: commands.map { $0.name }).map { "; did you mean “\($0)”?" } ?? ""
                throw UsageError("there is no command “\(name)”\(hint)")
            }
            try command.run(Invocation(options: parsed, words: Array(parsed.operands.dropFirst()))).exit()
        } catch let error as UsageError {
            fail("\(error)\nTry “watchlink --help”.", .usage)
        } catch let error as CommandError {
            fail(error.message, error.code)
        } catch {
            fail("\(error)", .failure)
        }
    }

    private static func help(_ parser: OptionParser) -> String {
        """
        watchlink: drives the two services and shows what they hold.

        Examples:
          watchlink demo                            everything at once, in a scratch directory
          watchlink submit quiz.json --wait         hand a quiz to the companion; wait for the host's reply
          watchlink status                          both services
          watchlink quizzes list                    the host's database
          watchlink device companion wrist-down     what a person does with the watch
          watchlink watches switch UUID             another watch becomes the phone's active one
          watchlink link companion condition bluetooth-far
                                                    a link with a long delay, until the next condition
          watchlink faults companion drop reply times=2
                                                    the next two replies to the companion's messages are lost
          watchlink scenario run Config/scenarios/commute.json5
          watchlink ledger companion --follow       what becomes of each message
          watchlink inspect message.bin             any keyed archive or binary property list

        Commands:
        \(commands.flatMap { $0.usage }.map { "  " + $0 }.joined(separator: "\n"))

        Options, before or after the words:
        \(parser.help)

        Exit codes: 0 done, 1 failed, 2 wrong words, 6 wrong configuration, 7 the service does not run.
        """
    }

    private static func fail(_ message: String, _ code: ExitCode) -> Never {
        fflush(nil)
        FileHandle.standardError.write(Data("watchlink: \(message)\n".utf8))
        code.exit()
    }
}
