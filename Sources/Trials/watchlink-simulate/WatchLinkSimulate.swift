import Foundation
import Glibc
import Processes
import ServiceRuntime
import Simulation

/// Runs the product's rules in a simulated world, seed after seed, and stops at the first that breaks an invariant.
@main
enum WatchLinkSimulate {
    private static let options = [
        OptionDefinition("seeds", placeholder: "A...B", help: "run these seeds; default 1...2000"),
        OptionDefinition("random", placeholder: "N", help: "run N seeds from a random one, which is printed"),
        OptionDefinition("minutes", placeholder: "M", help: "continue after the last seed until M minutes have passed"),
        OptionDefinition("replay", placeholder: "SEED", help: "run only this seed"),
        OptionDefinition("trace", help: "with --replay: print every event"),
        OptionDefinition(
            "bug", placeholder: "NAME",
            help: "plant a bug, which must be found: \(PlantedBug.allCases.map(\.rawValue).joined(separator: ", "))"
        ),
        OptionDefinition("prove", help: "plant each bug in turn, and fail if one is not found"),
        OptionDefinition(
            "bytes",
            help:
                "encode packages as frames and try a byte-level link in all seeds; by default in one of 20"),
        OptionDefinition("jobs", placeholder: "N", help: "number of threads; default: number of cores"),
    ]

    static func main() {
        startAgain()
        ToolProgram.run("watchlink-simulate", options: options, help: help) { parsed in
            guard parsed.operands.isEmpty else { throw UsageError("unexpected “\(parsed.operands[0])”") }
            let request = try SimulationRequest(parsed)
            return try parsed.has("prove") ? prove() : run(request)
        }
    }

    /// The memory that a run frees is for the next one: the allocator neither returns it to the system nor sorts it.
    /// That takes a twentieth of a run. 1 GiB: much more than all threads use.
    private static let allocation = [
        "tcache_count=2000", "trim_threshold=1073741824", "mmap_threshold=1073741824", "top_pad=16777216",
    ]

    /// Restarts this program with the setting that gives Swift's dictionaries the same order in every process: a seed
    /// must decide everything, here and on another machine. Settings of the allocator are read at the start as well.
    private static func startAgain() {
        let variable = "SWIFT_DETERMINISTIC_HASHING"
        guard getenv(variable) == nil else { return }
        setenv(variable, "1", 1)
        setenv("GLIBC_TUNABLES", allocation.map { "glibc.malloc.\($0)" }.joined(separator: ":"), 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv("/proc/self/exe", arguments)
        // Only the repetition of a run in another process depends on it.
        FileHandle.standardError.write(
            Data("watchlink-simulate: a replay may differ: \(String(cString: strerror(errno)))\n".utf8))
    }

    private static func run(_ request: SimulationRequest) throws -> ExitCode {
        if let seed = request.replay {
            let plan = Plan(seed: seed)
            let outcome = World(
                plan, bug: request.bug, carriesBytes: request.carriesBytes,
                onTrace: request.wantsTrace ? { StandardOutput.report($0) } : nil
            ).run()
            guard let violation = outcome.violation else {
                try StandardOutput.print(
                    "seed \(seed): \(outcome.messages) messages, \(outcome.events) events, \(Int(outcome.simulated.seconds)) simulated seconds: every invariant holds"
                )
                return .success
            }
            try report(violation, plan, request)
            return .failure
        }
        let campaign = Campaign(request)
        let result = campaign.run()
        try StandardOutput.print(result.text(asJSON: request.wantsJSON))
        guard let (seed, violation) = result.violation else { return .success }
        try report(violation, Plan(seed: seed), request)
        return .failure
    }

    /// The number of seeds within which a planted bug must be found.
    private static let proof = UInt64(3_000)

    private static func prove() throws -> ExitCode {
        var code = ExitCode.success
        for bug in PlantedBug.allCases {
            let found = (1...proof).lazy.compactMap { seed in
                World(Plan(seed: seed), bug: bug).run().violation.map { (seed, $0) }
            }.first
            guard let (seed, violation) = found, violation.invariant == bug.invariant else {
                try StandardOutput.print(
                    "\(bug.rawValue): not found in \(proof) seeds, or found as a different violation: \(found.map { "\($0.1)" } ?? "")"
                )
                code = .failure
                continue
            }
            try StandardOutput.print("\(bug.rawValue): found by seed \(seed): “\(violation.invariant.rawValue)”")
        }
        return code
    }

    private static func report(_ violation: Violation, _ plan: Plan, _ request: SimulationRequest) throws {
        try StandardOutput.print("seed \(plan.seed): \(violation)")
        try StandardOutput.print("shrinking \(plan.steps.count) steps …")
        let (short, found) = PlanShrinker.shrink(
            plan, bug: request.bug, carriesBytes: request.carriesBytes, violation)
        try StandardOutput.print("\(short.steps.count) steps are enough for: \(found)")
        for step in short.steps { try StandardOutput.print("  \(step)") }
        try StandardOutput.print("The last events of the shrunk run:")
        var lines: [String] = []
        _ = World(short, bug: request.bug, carriesBytes: request.carriesBytes) { lines.append($0) }.run()
        for line in lines.suffix(40) { try StandardOutput.print("  \(line)") }
        let bug = (request.bug.map { " --bug \($0.rawValue)" } ?? "") + (request.carriesBytes ? " --bytes" : "")
        try StandardOutput.print(
            "To replay the whole run: swift run -c release watchlink-simulate --replay \(plan.seed) --trace\(bug)")
    }

    private static func help(_ parser: OptionParser) -> String {
        """
        watchlink-simulate: runs the services' rules in a simulated world (links, disks, clocks, crashes), each seed a
        simulated hour, and checks WatchLink's promises.

        Examples:
          watchlink-simulate --seeds 1...100000        these seeds; prints the rate
          watchlink-simulate --random 2000             different seeds each time, as in CI
          watchlink-simulate --random 1 --minutes 60   for an hour
          watchlink-simulate --replay 4711 --trace     one seed, event by event
          watchlink-simulate --bug stores-twice        with a planted bug, which must be found
          watchlink-simulate --prove                   every bug: each invariant can fail

        Invariants:
        \(Invariant.allCases.map { "  \($0.rawValue)" }.joined(separator: "\n"))

        Options:
        \(parser.help)

        Exit codes: 0 every invariant held, 1 an invariant did not hold, 2 invalid arguments.
        """
    }
}
