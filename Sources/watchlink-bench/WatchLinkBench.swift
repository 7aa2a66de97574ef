import Foundation
import ServiceRuntime

/// Runs a benchmark and prints what it measured.
@main
enum WatchLinkBench {
    static func main() {
        ToolProgram.run("watchlink-bench", options: [], help: help) { parsed in
            guard parsed.operands == ["codec"] else {
                throw UsageError("there is no benchmark “\(parsed.operands.joined(separator: " "))”; there is “codec”")
            }
            let report = try CodecBenchmark().report(progress: progress)
            print(parsed.has("json") ? try report.json : report.text)
            return .success
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
}
