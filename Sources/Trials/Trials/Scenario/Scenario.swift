import Configuration
import LinkProtocol

/// A timeline of faults, of what people do with their devices, and of sends; and what must have come of it.
package struct Scenario: Sendable {
    /// Watches beside one phone. 8: more than anybody wears.
    package static let mostWatches = 8

    package let name: String
    package let summary: String
    package let watches: Int
    /// How the phone treats its watches: one at a time, as Apple's, or all; nil if the file leaves it open.
    private let serving: CompanionPolicy.Serving?
    /// Whether the devices run before the first step.
    let isStarted: Bool
    package let steps: [ScenarioStep]
    let expectation: ScenarioExpectation

    /// - Throws: What is wrong with the file, with line and key.
    package init(file path: String) throws { try self.init(try ConfigurationFile(path: path)) }

    /// - Parameters:
    ///   - text: What a file holds.
    ///   - path: The file's, for what is said of it.
    package init(text: String, of path: String) throws { try self.init(try ConfigurationFile(content: text, of: path)) }

    private init(_ file: ConfigurationFile) throws {
        guard let name = try file.string("name") else { throw file.wrong("name", "is missing") }
        self.name = name
        summary = try file.string("summary") ?? ""
        watches = try file.count("watches", within: 1...Self.mostWatches) ?? 1
        let servings = CompanionPolicy.Serving.allCases.map { ($0.rawValue, $0) }
        serving = try file.choice("serving", among: servings)
        isStarted = try file.flag("started") ?? true
        let devices = Self.names(watches: watches)
        var steps: [ScenarioStep] = []
        for entry in try file.list("steps") {
            steps.append(try ScenarioStep(entry, devices: devices, after: steps.last?.time ?? 0))
        }
        guard !steps.isEmpty else { throw file.wrong("steps", "is missing: a scenario does something") }
        self.steps = steps
        expectation = try ScenarioExpectation(try file.section("expect"), devices: devices)
        try file.refuseUnknownKeys()
    }

    /// “phone”, “watch”, “watch2” …: one name for one thing, in command lines, scenarios and tests.
    package static func names(watches: Int) -> [String] {
        ["phone"] + (1...watches).map { $0 == 1 ? "watch" : "watch\($0)" }
    }

    var devices: [String] { Self.names(watches: watches) }

    /// Left open, services serve all, as the host does, and programs one, as an app's phone does.
    func serving(of kind: ScenarioDevice.Kind) -> CompanionPolicy.Serving? {
        switch kind {
        case .service: serving ?? .all
        case .program: serving
        }
    }

    /// When its last step is due at the latest.
    package var length: Duration { .seconds(steps.map { $0.time + $0.jitter }.max() ?? 0) }

    /// How often a device's program is replaced by another build.
    package func upgrades(of device: String) -> Int {
        steps.count { step in if case .upgrade = step.deed { step.device == device } else { false } }
    }

    /// What devices of a kind cannot do, or what cannot be done to them.
    package func check(for kind: ScenarioDevice.Kind, isVirtual: Bool) throws(TrialFailure) {
        for step in steps {
            switch (step.deed, kind) {
            case (.world, _) where !isVirtual:
                throw TrialFailure("“\(step.name)” is for virtual time only: say --virtual, or explore with --script")
            case (.submit, .program):
                throw TrialFailure(
                    "“submit” hands quizzes to the services: the programs of others send by themselves, or by “send”")
            case (.upgrade, .service): throw TrialFailure("“upgrade” is for programs that --phone and --watch name")
            default: continue
            }
        }
        if kind == .program, expectation.stored != nil || expectation.failed != nil {
            throw TrialFailure(
                "“stored” and “failed” count the services' quizzes: of programs, state “delivered” or “files”")
        }
    }

    /// The steps in the order of one seed, each with its time.
    func timeline(seed: UInt64) -> [(time: Double, step: ScenarioStep)] {
        var random = SeededGenerator(seed: seed)
        return steps.map { ($0.time + $0.jitter * random.unit(), $0) }.enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { ($0.element.0, $0.element.1) }
    }
}
