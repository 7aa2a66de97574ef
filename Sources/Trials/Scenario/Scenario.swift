import LinkProtocol
import ServiceRuntime

/// A timeline of faults, of what people do with their devices, and of sends; and what must have come of it.
package struct Scenario: Sendable {
    /// Watches beside one phone. 8: more than anybody wears.
    private static let maximumWatches = 8

    package let name: String
    package let summary: String
    package let watches: Int
    /// How the phone treats its watches: one at a time, as Apple's, or all.
    let serving: CompanionPolicy.Serving
    /// Whether the services run before the first step.
    let isStarted: Bool
    package let steps: [ScenarioStep]
    let expectation: ScenarioExpectation

    /// - Throws: What is wrong with the file, with line and key.
    package init(file path: String) throws {
        let file = try ConfigurationFile(path: path)
        guard let name = try file.string("name") else { throw file.wrong("name", "is missing") }
        self.name = name
        summary = try file.string("summary") ?? ""
        watches = try file.count("watches", within: 1...Self.maximumWatches) ?? 1
        let servings = CompanionPolicy.Serving.allCases.map { ($0.rawValue, $0) }
        serving = try file.choice("serving", among: servings) ?? .all
        isStarted = try file.flag("started") ?? true
        let devices = Self.devices(watches)
        var steps: [ScenarioStep] = []
        for entry in try file.list("steps") {
            steps.append(try ScenarioStep(entry, devices: devices, after: steps.last?.time ?? 0))
        }
        guard !steps.isEmpty else { throw file.wrong("steps", "is missing: a scenario does something") }
        self.steps = steps
        expectation = try ScenarioExpectation(try file.section("expect"), devices: devices)
        try file.refuseUnknownKeys()
    }

    /// “phone”, “watch”, “watch2”…
    static func devices(_ watches: Int) -> [String] {
        ["phone"] + (1...watches).map { $0 == 1 ? "watch" : "watch\($0)" }
    }

    var devices: [String] { Self.devices(watches) }

    /// The steps in the order of one seed, each with its time.
    func timeline(seed: UInt64) -> [(time: Double, step: ScenarioStep)] {
        var random = SeededGenerator(seed: seed)
        return steps.map { ($0.time + $0.jitter * random.unit(), $0) }.enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { ($0.element.0, $0.element.1) }
    }
}
