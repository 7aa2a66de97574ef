import Foundation
import ServiceRuntime

/// Runs a benchmark and prints what it measured.
@main
enum WatchLinkBench {
    private static let options = [
        OptionDefinition("json", help: "one JSON value, for programs"),
        OptionDefinition("help", short: "h", help: "this text"),
        OptionDefinition("version", help: "version and commit"),
    ]

    static func main() {
        let parser = OptionParser(options)
        do throws(any Error) {
            let parsed = try parser.parse(Array(CommandLine.arguments.dropFirst()))
            if parsed.has("version") {
                print(Version.line("watchlink-bench"))
                return
            }
            if parsed.has("help") || parsed.operands.isEmpty {
                print(help(parser))
                (parsed.has("help") ? ExitCode.success : .usage).exit()
            }
            guard parsed.operands == ["codec"] else {
                throw UsageError("there is no benchmark “\(parsed.operands.joined(separator: " "))”; there is “codec”")
            }
            let report = try CodecBenchmark().report(progress: progress)
            print(parsed.has("json") ? try report.json : report.text)
        } catch let error as UsageError {
            fail("\(error)\nTry “watchlink-bench --help”.", .usage)
        } catch {
            fail("\(error)", .failure)
        }
    }

    private static func help(_ parser: OptionParser) -> String {
        """
        watchlink-bench: measures WatchLink against references that run in turn with it.

        Example:
          swift run -c release watchlink-bench codec      the archive codec; about a minute

        Options:
        \(parser.help)
        """
    }

    /// Progress for a person only: a program reads standard output.
    private static func progress(_ what: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("measuring \(what) …\n".utf8))
    }

    private static func fail(_ message: String, _ code: ExitCode) -> Never {
        FileHandle.standardError.write(Data("watchlink-bench: \(message)\n".utf8))
        code.exit()
    }
}
