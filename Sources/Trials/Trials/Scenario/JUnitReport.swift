import ServiceRuntime

/// The outcomes of scenarios as JUnit XML, which CI servers read: one suite for each file.
package enum JUnitReport {
    package static func text(_ outcomes: [ScenarioOutcome], seed: UInt64) -> String {
        JUnitDocument(outcomes.map { suite($0, seed) }).text
    }

    private static func suite(_ outcome: ScenarioOutcome, _ seed: UInt64) -> JUnitDocument.Suite {
        let played = outcome.checks.map { JUnitDocument.Case(name: $0.name, failure: $0.failure) }
        let unplayed = outcome.error.map { JUnitDocument.Case(name: "the scenario can be run", error: $0) }
        return JUnitDocument.Suite(
            name: outcome.name, properties: ["seed": "\(seed)"], seconds: outcome.seconds,
            cases: played + [unplayed].compactMap(\.self))
    }
}
