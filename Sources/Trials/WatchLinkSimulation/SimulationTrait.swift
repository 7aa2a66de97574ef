import Foundation
public import Testing
public import VirtualTime

/// A trait that runs a test once for each seed, in a world with virtual time where each device is a process.
public struct SimulationTrait: TestTrait, SuiteTrait, TestScoping {
    let settings: SimulationSettings

    /// True: the trait applies to all tests of a suite.
    public var isRecursive: Bool { true }

    /// Skips the test where worlds are not available.
    public func prepare(for test: Test) async throws {
        try await ConditionTrait.enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer.")
            .prepare(for: test)
    }

    /// Runs the test's body to collect its declarations, and then the worlds of all seeds.
    ///
    /// - Throws: ``SimulationError`` if the test cannot be simulated.
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

    /// In the template: serves until this process becomes a device, and then runs the device.
    private func live(
        in world: SimulatedWorld, _ test: Test, _ testCase: Test.Case?,
        _ function: @Sendable () async throws -> Void
    ) async throws {
        let device: String
        do throws(ConductorError) {
            device = try TestTemplate.serve()
        } catch {
            // Issues of a template are not collected.
            StandardError.write("\(error)\n")
            exit(EXIT_FAILURE)
        }
        // Every issue recorded from here on, in any task or thread, ends the device.
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
            // Keeps the scope open for the lifetime of the device.
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
            // A separate thread: tasks must not block while worlds run.
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
    /// Runs the test in simulated worlds, one for each seed, in which devices live for hours of virtual time.
    ///
    /// - Parameters:
    ///   - seeds: The seeds; each has a different order of events. `WATCHLINK_SEEDS=1...100000` in the environment
    ///     overrides them.
    ///   - hours: The lifetime of the devices, in virtual time.
    ///   - kills: The number of times a seed may kill and restart each device, in addition to the declared kills.
    ///   - hazards: The hazards that a seed may apply to each device, such as `[.loss, .answers]`.
    ///   - strategy: The strategy by which seeds decide.
    ///   - jobs: The number of worlds that run at the same time; by default the number of processors.
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

    /// Runs the test in simulated worlds with the given settings.
    public static func simulated(_ settings: SimulationSettings) -> SimulationTrait {
        SimulationTrait(settings: settings)
    }
}
