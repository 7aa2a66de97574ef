import Foundation

/// What came of all pairs.
struct TrialReport {
    struct Flawed {
        let name: String
        /// The first seed that shows the flaw; nil if none does.
        let seed: UInt64?
        /// How many of the seeds that were looked at together with that one show it.
        let share: Double
        let what: String
        /// Decisions that are left in the smallest course.
        let decisions: Int?

        var text: String {
            guard let seed else { return "| \(name) | not found | | | |" }
            let share = String(format: "%.1f %%", share * 100)
            let left = decisions.map { "\($0)" } ?? "not repeatable"
            return "| \(name) | \(seed) | \(share) | \(left) | \(what.split(separator: "\n").first ?? "") |"
        }
    }

    struct Alarm {
        let seed: UInt64
        let what: String
    }

    struct Correct {
        let name: String
        let seeds: Int
        let alarms: [Alarm]

        var text: String {
            let first = alarms.first.map { "seed \($0.seed): \($0.what.split(separator: "\n").first ?? "")" } ?? ""
            return "| \(name) | \(seeds) | \(alarms.count) | \(first) |"
        }
    }

    static let fewestFoundPercent = 90
    static let mostDecisions = 15

    var flawed: [Flawed] = []
    var correct: [Correct] = []
    private(set) var unrepeatable: [String] = []
    private(set) var seeds = 0
    private(set) var seconds = 0.0

    mutating func count(_ answer: Explorer.Answer, of name: String) {
        seeds += answer.runs
        seconds += answer.seconds
        unrepeatable += answer.unrepeatable.map { "\(name) \($0)" }
    }

    private var found: Int { flawed.count { $0.seed != nil } }

    /// The upper one of the two in the middle, if there are two.
    private var median: Int? {
        let counts = flawed.filter { $0.seed != nil }.map { $0.decisions ?? .max }.sorted()
        return counts.isEmpty ? nil : counts[counts.count / 2]
    }

    var isGood: Bool {
        found * 100 >= flawed.count * Self.fewestFoundPercent && median ?? 0 <= Self.mostDecisions
            && correct.allSatisfy { $0.alarms.isEmpty } && unrepeatable.isEmpty
    }

    var text: String {
        let alarms = correct.reduce(0) { $0 + $1.alarms.count }
        let rate = String(format: "%.1f", Double(seeds) / max(seconds, 0.001))
        return
            ([
                "| flawed pair | first seed | of the seeds | decisions left | finding |", "|---|---|---|---|---|",
            ] + flawed.map(\.text) + ["", "| correct pair | seeds | false alarms | first |", "|---|---|---|---|"]
            + correct.map(\.text) + [
                "",
                "found: \(found) of \(flawed.count); decisions left, median: \(median.map { "\($0)" } ?? "none"); "
                    + "false alarms: \(alarms); not repeatable: \(unrepeatable.isEmpty ? "none" : unrepeatable.joined(separator: ", "))",
                "\(seeds) seeds, \(rate) a second",
            ]).joined(separator: "\n")
    }
}
