import Foundation

/// The means of noticing a fault: the tests or the simulation.
protocol Examiner {
    /// The words that build it, after `swift`.
    var build: [String] { get }

    /// Runs once without any fault, and returns the function that tries one.
    func prepare(_ scratch: URL) throws -> @Sendable (Fault) throws -> Outcome
}

/// Runs the quick tests that get to a fault.
struct TestExaminer: Examiner {
    let bundle: TestBundle
    let jobs: Int

    let build = ["build", "--build-tests"]

    func prepare(_ scratch: URL) throws -> @Sendable (Fault) throws -> Outcome {
        let reach = try Reach.record(bundle, scratch: scratch, jobs: jobs)
        for (suite, reason) in reach.unfit { progress("left out: \(suite): \(reason)") }
        let trial = Trial(bundle: bundle, reach: reach)
        return { try trial.run($0) }
    }
}

/// Runs the simulation of the rules over some seeds.
struct SimulationExaminer: Examiner {
    let program: URL
    let seeds: Int

    let build = ["build", "-c", "release", "--product", "watchlink-simulate"]
    /// A run that a fault keeps from ending is given up after this time.
    private static let patience = 120.0

    func prepare(_ scratch: URL) throws -> @Sendable (Fault) throws -> Outcome {
        let words = [program.path, "--seeds", "1...\(seeds)", "--jobs", "1"]
        let record = ReachedFaults(scratch)
        defer { record.remove() }
        let run = try Command.run(words, in: scratch, environment: try record.environment())
        guard run.succeeded else {
            throw PlanterError(description: "the simulation fails without a fault:\n\(run.output.suffix(2_000))")
        }
        let reached = try record.numbers()
        return { fault in
            guard reached.contains(fault.number) else { return .unreached }
            let run = try Command.run(
                words, in: scratch, environment: ["PLANTED_FAULT": String(fault.number)], seconds: Self.patience)
            if run.succeeded { return .survived("\(seeds) seeds") }
            let lines = run.output.split(separator: "\n")
            guard let code = run.code else { return .broke("no end") }
            return .caught(by: "exit code \(code): \(lines.first { $0.contains("seed") } ?? lines.last ?? "")")
        }
    }
}
