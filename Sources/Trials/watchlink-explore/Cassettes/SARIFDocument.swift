import Cassettes
import Configuration
import ServiceRuntime

/// Findings in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), which code hosts show beside the
/// lines of a change; the lines are those of a cassette's events.
struct SARIFDocument {
    struct Result {
        let rule: String
        /// `note`, `warning` or `error`.
        let level: String
        let text: String
        let cassette: String
        let event: Int
        /// Further properties of the result.
        var properties: JSONValue?
    }

    /// The command.
    let tool: String
    let results: [Result]
    /// The subjects of rules, by their names.
    var summaries: [String: String] = [:]

    var json: JSONValue {
        let rules = Set(results.map(\.rule)).sorted().map { rule -> JSONValue in
            summaries[rule].map { ["id": .string(rule), "shortDescription": ["text": .string($0)]] }
                ?? ["id": .string(rule)]
        }
        let driver: JSONValue = ["name": .string(tool), "version": .string(Version.number), "rules": .array(rules)]
        let run: JSONValue = ["tool": ["driver": driver], "results": .array(results.map(Self.json))]
        return ["version": "2.1.0", "runs": .array([run])]
    }

    private static func json(_ result: Result) -> JSONValue {
        let place: JSONValue = [
            "artifactLocation": ["uri": .string("\(result.cassette)/\(CassetteFile.events)")],
            "region": ["startLine": .integer(Int64(result.event))],
        ]
        var object: [String: JSONValue] = [
            "ruleId": .string(result.rule), "level": .string(result.level), "message": ["text": .string(result.text)],
            "locations": .array([["physicalLocation": place]]),
        ]
        object["properties"] = result.properties
        return .object(object)
    }
}
