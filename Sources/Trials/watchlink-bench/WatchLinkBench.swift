import Configuration
import Foundation
import Processes
import ServiceRuntime
import Words

/// Runs benchmarks and prints their results.
@main
enum WatchLinkBench {
    private static let names = [
        "codec", "roundtrip", "throughput", "durable", "fan-in", "file", "start", "growth", "record", "operate",
    ]

    /// The benchmarks that run only on request: a long one, and one beside servers that most machines lack.
    private static let soak = "soak"
    private static let peers = "peers"
    private static let soakMinutes = 60.0

    private static let options = [
        OptionDefinition("quick", help: "a short run of each to check that it works; figures are meaningless"),
        OptionDefinition("minutes", placeholder: "N", help: "duration of the soak benchmark; default 60"),
        OptionDefinition(
            "store", placeholder: "NAME",
            help: "the store of the benchmark durable: sqlite or postgresql; default sqlite"
        ),
        OptionDefinition("rows", placeholder: "N", help: "stored quizzes of the benchmark operate; default 100000"),
        OptionDefinition("svg", placeholder: "FILE", help: "write the results as a chart as well"),
    ]

    static func main() {
        ToolProgram.run("watchlink-bench", options: options, help: help) { parsed in
            if let role = parsed.operands.first, ["serve", "drive"].contains(role) {
                ParentProcess.follow()
                try PeerRole.run(parsed.operands)
            }
            let wanted = parsed.operands.isEmpty ? names : parsed.operands
            let known = names + [soak, peers]
            if let unknown = wanted.first(where: { !known.contains($0) }) {
                let hint = NearestWord.hint(unknown, among: known)
                throw UsageError(
                    "unknown benchmark “\(unknown)”; use one of \(known.joined(separator: ", "))\(hint)")
            }
            let isShared = try isShared(parsed["store"])
            let minutes = try minutes(parsed["minutes"])
            let quizzes = try quizzes(parsed["rows"])
            // The services refuse databases that other users can read.
            umask(0o077)
            let effort = parsed.has("quick") ? Effort.quick : .full
            let folder = try BenchFolder()
            var reports: [Report] = []
            for name in wanted {
                progress(name)
                let report =
                    name == soak
                    ? try SoakBenchmark(minutes: minutes, folder: folder).report(progress: progress)
                    : name == "durable" && isShared
                        ? try PostgreSQLBenchmark(effort: effort).report()
                        : name == "operate"
                            ? try OperateBenchmark(effort: effort, folder: folder, quizzes: quizzes).report()
                            : try report(name, effort, folder)
                reports.append(report)
                if !parsed.has("json") {
                    print(report.text + "\n")
                    fflush(nil)
                }
            }
            if parsed.has("json") { print(try JSONValue.array(reports.map(\.json)).text(pretty: true)) }
            if let nothing = reports.flatMap(\.rows).first(where: { $0.unit != .count && !($0.value > 0) }) {
                throw BenchError("“\(nothing.name)” measured nothing")
            }
            if let path = parsed["svg"] { try Data(Chart.svg(reports).utf8).write(to: URL(filePath: path)) }
            return .success
        }
    }

    private static func isShared(_ store: String?) throws(UsageError) -> Bool {
        switch store {
        case nil, "sqlite": false
        case "postgresql": true
        case let other?: throw UsageError("--store \(other): use sqlite or postgresql")
        }
    }

    private static func minutes(_ text: String?) throws -> Double {
        guard let text else { return soakMinutes }
        guard let minutes = Double(text), minutes > 0, minutes <= 10_000 else {
            throw UsageError("--minutes \(text): not a valid number of minutes; use for example --minutes 10")
        }
        return minutes
    }

    private static func quizzes(_ text: String?) throws -> Int {
        guard let text else { return OperateBenchmark.usualQuizzes }
        guard let number = Int(text), OperateBenchmark.quizzes.contains(number) else {
            let range = OperateBenchmark.quizzes
            throw UsageError("--rows \(text): it must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func report(_ name: String, _ effort: Effort, _ folder: BenchFolder) throws -> Report {
        switch name {
        case "roundtrip": try LinkBenchmark(effort: effort, folder: folder).roundtrip()
        case "throughput": try LinkBenchmark(effort: effort, folder: folder).throughput()
        case "durable": try DurableBenchmark(effort: effort, folder: folder).report()
        case "fan-in": try FanInBenchmark(effort: effort, folder: folder).report()
        case "file": try FileBenchmark(effort: effort, folder: folder).report()
        case "start": try StartBenchmark(effort: effort, folder: folder).report()
        case "record": try RecordBenchmark(effort: effort, folder: folder).report()
        case peers: try PeersBenchmark(effort: effort, folder: folder).report(progress: progress)
        case "growth": try GrowthBenchmark(effort: effort, folder: folder).report()
        default: try CodecBenchmark(effort).report(progress: progress)
        }
    }

    private static func help(_ parser: OptionParser) -> String {
        """
        watchlink-bench: measures WatchLink against references that run alternately with it.

        Examples:
          swift run -c release watchlink-bench                     everything; some minutes
          swift run -c release watchlink-bench roundtrip durable   \(names.joined(separator: ", "))
          swift run -c release --traits PostgreSQL watchlink-bench durable --store postgresql
                                                                   records into a PostgreSQL server that it starts
          swift run -c release watchlink-bench --quick --json      a check that everything works
          swift run -c release watchlink-bench operate --rows 1000000
                                                                   what an operator does, with a million quizzes
          swift run -c release watchlink-bench soak --minutes 10   the same load for a long time; default an hour
          swift run -c release watchlink-bench peers               Redis, PostgreSQL, beanstalkd, mosquitto, ZeroMQ, libplist
                                                                   and Protocol Buffers beside it, as far as installed

        Options:
        \(parser.help)
        """
    }

    /// Prints progress to a terminal on standard error; standard output is for results.
    private static func progress(_ what: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("measuring \(what) …\n".utf8))
    }
}
