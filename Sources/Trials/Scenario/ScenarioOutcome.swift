package import ServiceRuntime

/// What came of one scenario file.
package struct ScenarioOutcome: Sendable {
    package let file: String
    /// The scenario's own; the file's, if it cannot be read.
    package let name: String
    package let checks: [ScenarioRun.Check]
    package let seconds: Double
    /// Why the scenario could not be played at all.
    package let error: String?

    package init(_ scenario: Scenario, file: String, checks: [ScenarioRun.Check], seconds: Double) {
        self.file = file
        name = scenario.name
        self.checks = checks
        self.seconds = seconds
        error = nil
    }

    package init(unreadable file: String, error: String) {
        self.file = file
        name = file
        checks = []
        seconds = 0
        self.error = error
    }

    /// Whether it was played, and all that it states is so.
    package var isGood: Bool { error == nil && checks.allSatisfy { $0.failure == nil } }

    package func json(seed: UInt64) -> JSONValue {
        [
            "file": .string(file), "scenario": .string(name), "seed": .integer(Int64(clamping: seed)),
            "error": error.map { .string($0) } ?? .null,
            "checks": .array(
                checks.map { ["name": .string($0.name), "failure": $0.failure.map { .string($0) } ?? .null] }),
        ]
    }
}
