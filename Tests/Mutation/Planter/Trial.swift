import Foundation

/// Turns one fault on and runs the suites that get to it, a few at a time, until one fails.
struct Trial {
    let bundle: TestBundle
    let reach: Reach

    /// The seconds of tests that one process is given, so that a caught fault costs no more than what catches it.
    private static let portion = 8.0
    /// The seconds of tests that one fault is given: what takes longer to notice is not noticed by quick tests.
    private static let patienceForAll = 40.0
    /// A run with a fault may take this many times as long as one without, and this many seconds more.
    private static let patience = (factor: 3.0, extra: 10.0)

    func run(_ fault: Fault) throws -> Outcome {
        let suites = reach.suites(for: fault)
        guard !suites.isEmpty else { return .unreached }
        var rest = suites[...]
        var spent = 0.0
        while !rest.isEmpty, spent < Self.patienceForAll {
            var seconds = 0.0
            var portion: [String] = []
            while let next = rest.first, portion.isEmpty || seconds + next.seconds <= Self.portion {
                seconds += next.seconds
                portion.append(next.name)
                rest.removeFirst()
            }
            spent += seconds
            let run = try bundle.run(
                portion, environment: ["PLANTED_FAULT": String(fault.number)],
                seconds: seconds * Self.patience.factor + Self.patience.extra)
            if let outcome = Self.outcome(of: run, portion) { return outcome }
        }
        return .survived("\(suites.count) suites")
    }

    private static func outcome(of run: Command, _ suites: [String]) -> Outcome? {
        if run.succeeded { return nil }
        let lines = run.output.split(separator: "\n")
        if let issue = lines.first(where: { $0.contains(TestBundle.issue) }) { return .caught(by: String(issue)) }
        guard let code = run.code else { return .broke("no end: \(suites.joined(separator: ", "))") }
        let last = lines.last { $0.contains("Fatal error") || $0.contains("error:") } ?? lines.last ?? ""
        return .broke("exit code \(code): \(last)")
    }
}
