import ServiceRuntime

/// All pairs, one after the other.
struct Trial {
    private let explorer: Explorer
    private let request: TrialRequest

    /// A flaw that is found easily needs few seeds, one that is not needs all of them: each block is so many times as large as the one before.
    private static let growth = 4
    private static let firstBlock = 20

    init(_ request: TrialRequest) { (explorer, self.request) = (Explorer(request), request) }

    func run() throws -> TrialReport {
        var report = TrialReport()
        let (flawed, correct) = (try explorer.names(of: "flawed"), try explorer.names(of: "correct"))
        if let unknown = request.only.first(where: { !(flawed + correct).contains($0) }) {
            throw UsageError("--only \(unknown): it must be one of \((flawed + correct).joined(separator: ", "))")
        }
        for name in flawed.filter(isWanted) {
            let result = try lookForFlaw(of: name, &report)
            Explorer.tell(result.text)
            report.flawed.append(result)
        }
        for name in correct.filter(isWanted) {
            let answer = try explorer.explore(name, 1...request.seeds)
            report.count(answer, of: name)
            let alarms = answer.found.map { TrialReport.Alarm(seed: $0.seed, what: $0.what) }
            let result = TrialReport.Correct(
                name: name, seeds: answer.runs, alarms: alarms.sorted { $0.seed < $1.seed })
            Explorer.tell(result.text)
            report.correct.append(result)
        }
        return report
    }

    private func isWanted(_ name: String) -> Bool { request.only.isEmpty || request.only.contains(name) }

    private func lookForFlaw(of name: String, _ report: inout TrialReport) throws -> TrialReport.Flawed {
        var (first, size) = (1, Self.firstBlock)
        while first <= request.seeds {
            let last = min(request.seeds, first + size - 1)
            let answer = try explorer.explore(name, first...last)
            report.count(answer, of: name)
            if let found = answer.found.min(by: { $0.seed < $1.seed }) {
                let left = try explorer.decisionsLeft(name, seed: Int(found.seed))
                let share = Double(answer.found.count) / Double(answer.runs)
                return .init(name: name, seed: found.seed, share: share, what: found.what, decisions: left)
            }
            (first, size) = (last + 1, size * Self.growth)
        }
        return .init(name: name, seed: nil, share: 0, what: "", decisions: nil)
    }
}
