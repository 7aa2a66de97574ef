package import Configuration
import Foundation

/// The outcome of one scenario file.
package struct ScenarioOutcome: Equatable, Sendable {
    package let file: String
    /// The name of the scenario, or of the file if it cannot be read.
    package let name: String
    package private(set) var checks: [ScenarioCheck]
    package let seconds: Double
    /// The reason why the scenario could not be run at all.
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

    /// True if the scenario was run and all its expectations hold.
    package var isGood: Bool { error == nil && checks.allSatisfy { $0.failure == nil } }

    /// Returns the outcome with a check from elsewhere, which replaces a check of the same name.
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

    /// The prefix of a line with the outcome as JSON, for a parent process that runs the scenario in a separate world.
    package static let mark = "outcome: "

    /// Decodes the outcome from the lines of a program; nil if none has one.
    ///
    /// - Throws: ``TrialFailure`` or a decoding error if the line is not an outcome.
    package init?(in lines: [Substring], seconds: Double) throws {
        guard let line = lines.last(where: { $0.hasPrefix(Self.mark) }) else { return nil }
        let json = try JSONValue(json: Data(line.dropFirst(Self.mark.count).utf8))
        guard let file = json["file"]?.string, let name = json["scenario"]?.string, let checks = json["checks"]?.array
        else { throw TrialFailure("“\(line)” is not the outcome of a scenario") }
        (self.file, self.name, self.seconds, error) = (file, name, seconds, nil)
        self.checks = checks.map { ScenarioCheck($0["name"]?.string ?? "", $0["failure"]?.string) }
    }
}
