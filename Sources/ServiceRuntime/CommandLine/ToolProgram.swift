import Foundation
import Glibc

/// What a small program does around its work: options, help, version, errors, exit codes.
public enum ToolProgram {
    /// The options that every one has.
    private static let common = [
        OptionDefinition("json", help: "the result as one JSON value"),
        OptionDefinition("help", short: "h", help: "this text"),
        OptionDefinition("version", help: "version and commit"),
    ]

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - help: The text of `--help`, around the parser's own part.
    ///   - work: What it is for; a ``UsageError`` of it ends with the code of wrong words.
    public static func run(
        _ name: String, options: [OptionDefinition], help: (OptionParser) -> String,
        _ work: (ParsedOptions) throws -> ExitCode
    ) -> Never {
        let parser = OptionParser(options + common)
        do throws(any Error) {
            let parsed = try parser.parse(Array(CommandLine.arguments.dropFirst()))
            guard !parsed.has("help") else { finish(help(parser)) }
            guard !parsed.has("version") else { finish(Version.line(name)) }
            try work(parsed).exit()
        } catch let error as UsageError {
            fail("\(name): \(error)\nTry “\(name) --help”.\n", .usage)
        } catch {
            fail("\(name): \(error)\n", .failure)
        }
    }

    private static func finish(_ text: String) -> Never {
        print(text)
        ExitCode.success.exit()
    }

    private static func fail(_ text: String, _ code: ExitCode) -> Never {
        fflush(nil)
        FileHandle.standardError.write(Data(text.utf8))
        code.exit()
    }
}
