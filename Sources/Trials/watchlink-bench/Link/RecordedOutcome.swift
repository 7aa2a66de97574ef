/// The messages of one pair of processes that were recorded, and those between them that were not.
struct RecordedOutcome: Codable {
    let plain: Outcome
    let recorded: Outcome

    /// Returns the outcome whose ratio is the median.
    static func median(_ outcomes: [RecordedOutcome]) -> RecordedOutcome {
        outcomes.sorted { $0.recorded.p50 * $1.plain.p50 < $1.recorded.p50 * $0.plain.p50 }[outcomes.count / 2]
    }
}
