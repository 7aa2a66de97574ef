import Configuration
import LinkProtocol

/// A timeline of faults, user actions and sends, with the expected outcome.
package struct Scenario: Sendable {
    /// The limit on watches beside one phone. 8: more than anybody wears.
    package static let mostWatches = 8

    package let name: String
    package let summary: String
    package let watches: Int
    /// The phone's treatment of its watches: one at a time, like Apple's, or all; nil if the file does not specify it.
    private let serving: CompanionPolicy.Serving?
    /// True if the devices run before the first step.
    let isStarted: Bool
    package let steps: [ScenarioStep]
    let expectation: ScenarioExpectation

    /// - Throws: ``ConfigurationError`` with the line and key of the error.
    package init(file path: String) throws { try self.init(try ConfigurationFile(path: path)) }

    /// - Parameters:
    ///   - text: The content of the file.
    ///   - path: The path of the file, for error messages.
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
        guard !steps.isEmpty else { throw file.wrong("steps", "is missing; a scenario needs at least one step") }
        self.steps = steps
        expectation = try ScenarioExpectation(try file.section("expect"), devices: devices)
        try file.refuseUnknownKeys()
    }

    /// The device names “phone”, “watch”, “watch2” …, the same in command lines, scenarios and tests.
    package static func names(watches: Int) -> [String] {
        ["phone"] + (1...watches).map { $0 == 1 ? "watch" : "watch\($0)" }
    }

    var devices: [String] { Self.names(watches: watches) }

    /// Returns the serving mode; by default services serve all watches, like the host, and programs one, like a phone.
    func serving(of kind: ScenarioDevice.Kind) -> CompanionPolicy.Serving? {
        switch kind {
        case .service: serving ?? .all
        case .program: serving
        }
    }

    /// The latest time at which its last step can be due.
    package var length: Duration { .seconds(steps.map { $0.time + $0.jitter }.max() ?? 0) }

    /// Returns the number of times a device's program is replaced by another build.
    package func upgrades(of device: String) -> Int {
        steps.count { step in if case .upgrade = step.deed { step.device == device } else { false } }
    }

    /// Checks that devices of a kind support every step and expectation.
    package func check(for kind: ScenarioDevice.Kind, isVirtual: Bool) throws(TrialFailure) {
        for step in steps {
            switch (step.deed, kind) {
            case (.world, _) where !isVirtual:
                throw TrialFailure("“\(step.name)” works only in virtual time; use --virtual, or explore with --script")
            case (.submit, .program):
                throw TrialFailure(
                    "“submit” works only with services; other programs send by themselves or with “send”")
            case (.upgrade, .service): throw TrialFailure("“upgrade” works only with --phone and --watch programs")
            default: continue
            }
        }
        if kind == .program, expectation.stored != nil || expectation.failed != nil {
            throw TrialFailure(
                "“stored” and “failed” count quizzes of the services; for programs, use “delivered” or “files”")
        }
    }

    /// Returns the steps in the order that a seed chooses, each with its time.
    func timeline(seed: UInt64) -> [(time: Double, step: ScenarioStep)] {
        var random = SeededGenerator(seed: seed)
        return steps.map { ($0.time + $0.jitter * random.unit(), $0) }.enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { ($0.element.0, $0.element.1) }
    }
}
