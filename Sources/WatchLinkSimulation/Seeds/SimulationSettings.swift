import Foundation
import VirtualTime

/// How a simulated test is run.
public struct SimulationSettings: Sendable {
    /// Each is a world of its own, with another order of everything in it.
    public var seeds: ClosedRange<Int> = 1...100
    /// How long the devices live, in virtual time; an hour.
    public var duration: Duration = .seconds(3_600)
    /// How many worlds run at a time. All simulated tests together run as many as there are processors.
    public var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// How many worlds a failure may take to be made small.
    public var tries = 100
    /// After so many seeds that fail no more are run.
    public var failures = 1
    /// Variables that every device gets beside its own.
    public var environment: [String: String] = [:]

    /// Each is a thread with some processes.
    public static let jobs = 1...256

    public init() {}

    /// The same, with the seeds that the environment has: `WATCHLINK_SEEDS=1...100000`.
    func following(_ environment: [String: String]) throws(SimulationError) -> SimulationSettings {
        guard duration > .zero, duration <= Script.longest - DeviceLife.afterEnd else { throw .duration(duration) }
        guard Self.jobs.contains(jobs) else { throw .jobs(jobs) }
        guard seeds.lowerBound >= 0 else { throw .seeds(seeds) }
        guard let text = environment[Self.seedsVariable] else { return self }
        let bounds = text.split(separator: ".").map { Int($0) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first >= 0, first <= last else {
            throw .variable(Self.seedsVariable, text, allowed: "a range of numbers such as 1...1000")
        }
        var settings = self
        settings.seeds = first...last
        return settings
    }

    static let seedsVariable = "WATCHLINK_SEEDS"
    static let replayVariable = "WATCHLINK_REPLAY"
    static let findingsVariable = "WATCHLINK_FINDINGS"
}
