import Foundation
public import Testing
public import VirtualTime

/// Runs a test once for each seed, in a world where time is virtual and each device is a process.
public struct SimulationTrait: TestTrait, SuiteTrait, TestScoping {
    let settings: SimulationSettings

    public var isRecursive: Bool { true }

    /// Skips the test where there are no worlds.
    public func prepare(for test: Test) async throws {
        try await ConditionTrait.enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer.")
            .prepare(for: test)
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let identity = TestIdentity.swiftTesting("\(test.id)")
        guard !test.isParameterized else { throw SimulationError.parameterized }
        let world = SimulatedWorld(settings)
        if TestTemplate.isTemplate(for: identity) {
            try await live(in: world, test, testCase, function)
        } else if TestTemplate.test == nil {
            try await SimulatedWorld.$declared.withValue(world) { try await function() }
            try await explore(identity, world, test)
        }
    }

    /// In the template: serves until this process is a device, and then lives as it.
    private func live(
        in world: SimulatedWorld, _ test: Test, _ testCase: Test.Case?,
        _ function: @Sendable () async throws -> Void
    ) async throws {
        let device: String
        do throws(ConductorError) {
            device = try TestTemplate.serve()
        } catch {
            // Nobody reads issues of a template.
            StandardError.write("\(error)\n")
            exit(EXIT_FAILURE)
        }
        // Whatever is recorded from here on, in whatever task or thread, is the device's end.
        let issues = IssueHandlingTrait.compactMapIssues { issue in
            guard issue.severity >= .error else { return issue }
            DeviceLife.fail(IssueText(issue).text)
        }
        try await issues.provideScope(for: test, testCase: testCase) {
            do {
                try await SimulatedWorld.$declared.withValue(world) { try await function() }
                try DeviceLife(world, device).begin()
            } catch {
                DeviceLife.fail("the test's body: \(error)")
            }
            // The scope lasts as long as the device.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    private func explore(_ identity: TestIdentity, _ world: SimulatedWorld, _ test: Test) async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = try settings.following(environment)
        let plan = try SimulationPlan(world, identity, settings)
        var finding: Finding?
        if let path = environment[SimulationSettings.replayVariable] {
            finding = try Finding(path: path)
            guard finding?.isOf(identity) == true else {
                try Test.cancel("\(SimulationSettings.replayVariable) is a finding of another test.")
            }
        }
        let run = try SimulationRun(identity, plan, settings)
        let report = await withCheckedContinuation { continuation in
            // Worlds are waited for, which tasks must not do.
            Thread.detachNewThread { [finding] in
                continuation.resume(returning: finding.map { run.replay($0) } ?? run.run())
            }
        }
        for note in report.notes { StandardError.write("\(note)\n") }
        for failed in report.failed {
            for file in failed.files { Attachment.record(file.contents, named: file.name) }
            Issue.record("\(failed.text)", sourceLocation: test.sourceLocation)
        }
        for name in report.unreached {
            Issue.record("\(report.text(unreached: name, of: settings))", sourceLocation: test.sourceLocation)
        }
        if let error = report.error { throw error }
    }
}

extension Trait where Self == SimulationTrait {
    /// Runs the test in simulated worlds: one for each seed, in which its devices live for some hours that take no time.
    ///
    /// - Parameters:
    ///   - seeds: Other seeds have other orders. `WATCHLINK_SEEDS=1...100000` in the environment takes their place.
    ///   - hours: How long the devices live, in virtual time.
    ///   - kills: How often a seed kills each device at most, and starts it again, beside what the test declares.
    ///   - hazards: The trouble that a seed may bring to each device, such as `[.loss, .answers]`.
    ///   - strategy: The rule by which seeds decide.
    ///   - jobs: How many worlds run at a time; left out, as many as there are processors.
    public static func simulated(
        seeds: ClosedRange<Int> = 1...100, hours: Double = 1, kills: Int = 0, hazards: Set<SimulatedHazard> = [],
        strategy: StrategyChoice = .random, jobs: Int? = nil
    ) -> SimulationTrait {
        var settings = SimulationSettings()
        (settings.seeds, settings.kills, settings.hazards, settings.strategy) = (seeds, kills, hazards, strategy)
        settings.duration = .seconds(hours * 3_600)
        if let jobs { settings.jobs = jobs }
        return .simulated(settings)
    }

    /// The same, with all that can be set.
    public static func simulated(_ settings: SimulationSettings) -> SimulationTrait {
        SimulationTrait(settings: settings)
    }
}
