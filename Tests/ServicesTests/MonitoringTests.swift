import EventLog
import Foundation
import Services
import TestSupport
import Testing

@Suite("The alert rules and the dashboard")
struct MonitoringTests {
    private static let rules = "Config/prometheus/watchlink.rules.json"
    private static let dashboard = "Config/grafana/watchlink.json"

    private struct Rules: Decodable {
        struct Group: Decodable { let rules: [Rule] }
        struct Rule: Decodable {
            let alert: String
            let expr: String
            let labels: [String: String]
            let annotations: [String: String]
        }
        let groups: [Group]
    }

    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            let id: Int
            let title: String
            let targets: [Target]
        }
        struct Target: Decodable { let expr: String }
        let panels: [Panel]
    }

    private static func read<Value: Decodable>(_ path: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try Data(contentsOf: ProjectFiles.root.appending(path: path)))
    }

    private static func alerts() throws -> [Rules.Rule] { try (read(rules) as Rules).groups.flatMap(\.rules) }
    private static func panels() throws -> [Dashboard.Panel] { try (read(dashboard) as Dashboard).panels }

    private static func expressions() throws -> [String] {
        try alerts().map(\.expr) + panels().flatMap { $0.targets.map(\.expr) }
    }

    /// The names of the samples of all metrics that some module declares. An application's are made from the names of
    /// its kind.
    private static func samples() throws -> Set<String> {
        var names: Set<String> = []
        let pattern = /(counter|histogram|gauge)\(\s*"(watchlink_[^"]*)"/
        for file in ProjectFiles.all(below: "Sources", suffix: ".swift") {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: pattern) {
                let name = match.2.replacing("\\(name)", with: "quiz").replacing("\\(plural)", with: "quizzes")
                let suffixes = match.1 == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                names.formUnion(suffixes.map { name + $0 })
            }
        }
        return names
    }

    @Test("Every metric that they ask for exists")
    func metrics() throws {
        let samples = try Self.samples()
        #expect(samples.count > 30)
        let used = try Set(Self.expressions().flatMap { $0.matches(of: /watchlink_[a-z_]+/).map { String($0.0) } })
        #expect(used.count > 15)
        #expect(used.subtracting(samples) == [])
    }

    @Test("Every event and level that they ask for exists")
    func events() throws {
        let text = try Self.expressions().joined(separator: "\n")
        let events = Set(text.matches(of: /event="([^"]*)"/).map { String($0.1) })
        #expect(events.count == 3)
        // Debug events are not counted.
        let counted = Set(LogCatalogue.events.filter { $0.level < .debug }.map(\.text))
        #expect(events.subtracting(counted) == [])
        let levels = text.matches(of: /level=~"([^"]*)"/).flatMap { $0.1.split(separator: "|").map(String.init) }
        #expect(!levels.isEmpty)
        #expect(Set(levels).subtracting(LogLevel.allCases.map(\.description)) == [])
    }

    @Test("Each alert has a name of its own, a severity, and says what to do; each panel has a query")
    func texts() throws {
        let alerts = try Self.alerts()
        #expect(Set(alerts.map(\.alert)).count == alerts.count)
        for alert in alerts {
            #expect(["critical", "warning", "info"].contains(alert.labels["severity"]), "\(alert.alert)")
            #expect(alert.annotations["summary"]?.isEmpty == false, "\(alert.alert)")
            #expect(alert.annotations["description"]?.isEmpty == false, "\(alert.alert)")
        }
        let panels = try Self.panels()
        #expect(Set(panels.map(\.id)).count == panels.count)
        #expect(panels.allSatisfy { !$0.targets.isEmpty && !$0.title.isEmpty })
    }
}
