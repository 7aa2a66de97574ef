import Configuration
import Foundation
import Glibc
import Processes
import ServiceRuntime
import Trials

/// Kills the real services, injects disk faults, and checks that nothing is lost.
@main
enum WatchLinkTorture {
    static func main() {
        ToolProgram.run("watchlink-torture", options: TortureWords.options, help: help) { parsed in
            let rounds = parsed["rounds"].map { Int($0) } ?? 25
            let seed = parsed["seed"].map { UInt64($0) } ?? UInt64.random(in: 1..<1_000_000_000)
            guard let rounds, rounds > 0, let seed, parsed.operands.isEmpty else {
                throw UsageError("--rounds and --seed must be numbers, and no other arguments are allowed")
            }
            let subject = try TrialSubject(parsed)
            if let directory = parsed["directed"] {
                return try direct(subject, parsed, seed, in: URL(filePath: directory))
            }
            return try run(subject, rounds, seed, isVerbose: parsed.has("verbose"), wantsJSON: parsed.has("json"))
        }
    }

    private static func run(
        _ subject: TrialSubject, _ rounds: Int, _ seed: UInt64, isVerbose: Bool, wantsJSON: Bool
    ) throws -> ExitCode {
        say("seed \(seed)")
        ScratchDirectory.removeAllOnSignals()
        let scratch = try ScratchDirectory()
        let torture = try Torture(subject, seed: seed, in: scratch.url) { if isVerbose { say($0) } }
        let start = ContinuousClock.now
        for number in 0..<rounds {
            let began = ContinuousClock.now
            do {
                let trouble = try torture.round(number)
                let span = (ContinuousClock.now - began).formatted(.units(allowed: [.milliseconds]))
                say("round \(number + 1) of \(rounds), \(span): \(trouble): nothing lost or duplicated")
            } catch {
                say("round \(number + 1) of \(rounds): \(error)")
                say("the services' data is kept in \(scratch.path); repeat with --seed \(seed) --verbose")
                scratch.keep()
                return .failure
            }
        }
        scratch.remove()
        let seconds = Double((ContinuousClock.now - start).components.seconds)
        let counts = torture.counts.sorted { $0.key < $1.key }
        if wantsJSON {
            try StandardOutput.print(
                JSONValue.object([
                    "seed": .integer(Int64(seed)), "rounds": .integer(Int64(rounds)), "seconds": .number(seconds),
                    "troubles": .object(
                        Dictionary(uniqueKeysWithValues: counts.map { ($0.key, JSONValue.integer(Int64($0.value))) })),
                ]).text(pretty: true))
        } else {
            try StandardOutput.print("\(rounds) rounds in \(Int(seconds)) s, nothing lost or duplicated: seed \(seed)")
            try StandardOutput.print(counts.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        }
        return .success
    }

    /// Works with services that the conductor starts and kills, and judges them.
    private static func direct(
        _ subject: TrialSubject, _ parsed: ParsedOptions, _ seed: UInt64, in directory: URL
    ) throws -> ExitCode {
        let extent = try TortureExtent(parsed)
        var torture = try DirectedTorture(
            subject, extent, seed: seed, in: directory,
            direct: { deed in
                try StandardOutput.print("virtual-time: \(deed)")
                try StandardOutput.flush()
            }, onLine: { say($0) })
        do {
            let count = try torture.run()
            try StandardOutput.print("\(count) payloads accepted, nothing lost or duplicated: seed \(seed)")
            return .success
        } catch {
            say("FINDING: \(error)")
            return .failure
        }
    }

    private static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    private static func help(_ parser: OptionParser) -> String {
        """
        watchlink-torture: starts the real services, gives them work, kills them or fails their disk in the middle of it,
        restarts them, and checks databases, outbox and ledgers: nothing lost or duplicated.

        Examples:
          watchlink-torture                            25 rounds
          watchlink-torture --rounds 1000 --seed 4711
          watchlink-torture --seed 4711 --verbose      a failed run, with the logs
          watchlink-torture --host steps-host --companion steps-companion --application steps --document example.json
                                                       the services of your own payload; --file adds a file to each

        Options:
        \(parser.help)

        Exit codes: 0 every promise was kept, 1 a promise was broken, 2 invalid arguments.
        """
    }
}
