import Foundation
import Glibc
public import Processes

/// The frame of a small program: options, help, version, errors, exit codes.
public enum ToolProgram {
    /// The options of every program.
    package static let common = [
        OptionDefinition("json", help: "print the result as one JSON value"),
        OptionDefinition("help", short: "h", help: "print this help"),
        OptionDefinition("version", help: "print version and commit"),
    ]

    /// Runs a program and exits.
    ///
    /// - Parameters:
    ///   - help: The text of `--help`; the parser provides the part about options.
    ///   - work: The program's work; a ``UsageError`` thrown by it exits with ``ExitCode/usage``.
    public static func run(
        _ name: String, options: [OptionDefinition], help: (OptionParser) -> String,
        _ work: (ParsedOptions) throws -> ExitCode
    ) -> Never {
        let parser = OptionParser(options + common)
        do throws(any Error) {
            let parsed = try parser.parse(Array(CommandLine.arguments.dropFirst()))
            if parsed.has("help") || parsed.has("version") {
                try StandardOutput.print(
                    parsed.has("help") ? help(parser) : Version.text(name, asJSON: parsed.has("json")))
                ProgramEnd.exit(.success, name)
            }
            ProgramEnd.exit(try work(parsed), name)
        } catch let error as UsageError {
            ProgramEnd.fail("\(error)\nTry “\(name) --help”.", .usage, name)
        } catch let error as StandardOutput.Failure {
            ProgramEnd.failed(error, name)
        } catch {
            ProgramEnd.fail(error.report, .failure, name)
        }
    }
}
