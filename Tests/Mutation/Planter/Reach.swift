import Foundation

/// The faults that each suite gets to, as a run without any fault recorded.
struct Reach {
    /// For each suite the numbers of the faults that it passes, and the seconds that it takes.
    let suites: [(name: String, faults: Set<Int>, seconds: Double)]
    /// Suites that fail or are slow without any fault, with the reason.
    let unfit: [(name: String, reason: String)]

    /// The longest run of a suite that counts as quick.
    static let quick = 15.0

    static func record(_ bundle: TestBundle, scratch: URL, jobs: Int) throws -> Reach {
        let names = try bundle.suites()
        progress("\(names.count) suites run once without a fault")
        let results = try inParallel(names, jobs: jobs) { name in
            let record = ReachedFaults(scratch)
            defer { record.remove() }
            let environment = try record.environment()
            let start = Date()
            let run = try bundle.run([name], environment: environment, seconds: quick)
            return (name: name, faults: try record.numbers(), seconds: Date().timeIntervalSince(start), run: run)
        }
        return Reach(
            suites: results.filter(\.run.succeeded).map { ($0.name, $0.faults, $0.seconds) },
            unfit: results.filter { !$0.run.succeeded }.map { ($0.name, reason(of: $0.run)) })
    }

    private static func reason(of run: Command) -> String {
        if run.output.contains(TestBundle.issue) { return "fails without a fault" }
        return run.code.map { "exit code \($0)" } ?? "more than \(quick) s"
    }

    /// The suites that get to a fault: those of its own module first, then the quick ones.
    func suites(for fault: Fault) -> [(name: String, seconds: Double)] {
        let module = fault.site.path.split(separator: "/").dropFirst(2).first.map(String.init) ?? ""
        let reaching = suites.filter { $0.faults.contains(fault.number) }
        let own = reaching.filter { $0.name.hasPrefix("\(module)Tests.") }
        let others = reaching.filter { !$0.name.hasPrefix("\(module)Tests.") }
        return (own + others.sorted { $0.seconds < $1.seconds }).map { ($0.name, $0.seconds) }
    }
}
