package import Configuration
import Foundation

/// What came of one scenario file.
package struct ScenarioOutcome: Equatable, Sendable {
    package let file: String
    /// The scenario's own; the file's, if it cannot be read.
    package let name: String
    package private(set) var checks: [ScenarioCheck]
    package let seconds: Double
    /// Why the scenario could not be played at all.
    package let error: String?

    package init(_ scenario: Scenario, file: String, checks: [ScenarioCheck], seconds: Double) {
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

    /// The same with what somebody else saw: it takes the place of a check of the same name.
    package func with(_ check: ScenarioCheck) -> ScenarioOutcome {
        var outcome = self
        outcome.checks = checks.filter { $0.name != check.name }
        outcome.checks.insert(check, at: checks.firstIndex { $0.name == check.name } ?? checks.count)
        return outcome
    }

    package func json(seed: UInt64) -> JSONValue {
        [
            "file": .string(file), "scenario": .string(name), "seed": .integer(Int64(clamping: seed)),
            "error": error.map { .string($0) } ?? .null,
            "checks": .array(
                checks.map { ["name": .string($0.name), "failure": $0.failure.map { .string($0) } ?? .null] }),
        ]
    }

    /// A line that begins so has the outcome as JSON, for whoever plays the scenario in a world of its own.
    package static let mark = "outcome: "

    /// The outcome that such a line has; nil if none of the lines has one.
    ///
    /// - Throws: If that is no outcome.
    package init?(in lines: [Substring], seconds: Double) throws {
        guard let line = lines.last(where: { $0.hasPrefix(Self.mark) }) else { return nil }
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(line.dropFirst(Self.mark.count).utf8))
        guard let file = json["file"]?.string, let name = json["scenario"]?.string, let checks = json["checks"]?.array
        else { throw TrialFailure("“\(line)” is not the outcome of a scenario") }
        (self.file, self.name, self.seconds, error) = (file, name, seconds, nil)
        self.checks = checks.map { ScenarioCheck($0["name"]?.string ?? "", $0["failure"]?.string) }
    }
}
