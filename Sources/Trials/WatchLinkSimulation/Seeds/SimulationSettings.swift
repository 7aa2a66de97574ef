import DeviceWorlds
import Foundation
import LinkProtocol
public import VirtualTime

/// The settings of a simulated test.
public struct SimulationSettings: Sendable {
    /// The seeds; each is a separate world with a different order of events.
    public var seeds: ClosedRange<Int> = 1...100
    /// The lifetime of the devices, in virtual time; an hour by default.
    public var duration: Duration = .seconds(3_600)
    /// The number of times a seed may kill and restart each device, in addition to the kills that the test declares.
    public var kills = 0
    /// The hazards that a seed may apply to each device.
    public var hazards: Set<SimulatedHazard> = []
    /// The time before the end in which no seed kills a device, fills its disk or sets its clock, so that promises can
    /// be kept; at most half of the duration.
    public var quietPeriod: Duration = .seconds(300)
    /// The strategy by which seeds decide. With `StrategyChoice.orders` there are no seeds: the test runs
    /// once for each order of delivery, until all have been run.
    public var strategy = StrategyChoice.random
    /// The mean number of interruption points per interruption of a thread; 0 disables interruptions.
    public var preemption = WorldSettings().preemption
    /// The mean number of thread resumptions per late one; 0 disables delays.
    public var stall = WorldSettings().stall
    /// The longest delay of a late thread, in milliseconds; at most an hour.
    public var stallMilliseconds = WorldSettings().stallMilliseconds
    /// The number of parallel worlds. All simulated tests together run at most as many as there are processors.
    public var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// The number of worlds that may be run to shrink a failure.
    public var tries = 100
    /// The number of failed seeds after which no more are run.
    public var failures = 1
    /// Environment variables of every device, in addition to its own.
    public var environment: [String: String] = [:]

    /// The allowed numbers of jobs; each job is a thread with some processes.
    public static let jobs = 1...256

    /// Creates the default settings.
    public init() {}

    /// Returns the settings with the seeds from the environment, as in `WATCHLINK_SEEDS=1...100000`.
    func following(_ environment: [String: String]) throws(SimulationError) -> SimulationSettings {
        guard duration > .zero, duration <= Script.longest - afterEnd else { throw .duration(duration) }
        guard Self.jobs.contains(jobs) else { throw .jobs(jobs) }
        guard seeds.lowerBound >= 0 else { throw .seeds(seeds) }
        guard 0...Hazard.mostKills ~= kills else { throw .kills(kills) }
        guard quietPeriod >= .zero else { throw .quietPeriod(quietPeriod) }
        guard stallMilliseconds <= WorldSettings.longestStallMilliseconds else { throw .stall(stallMilliseconds) }
        if case .priorities(let depth) = strategy, !Strategy.depths.contains(depth) { throw .depth(depth) }
        guard let text = environment[Self.seedsVariable] else { return self }
        let bounds = text.split(separator: ".").map { Int($0) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first >= 0, first <= last else {
            throw .variable(Self.seedsVariable, text, allowed: "a range of numbers such as 1...1000")
        }
        var settings = self
        settings.seeds = first...last
        return settings
    }

    /// The time after the end of the world's duration in which devices run their final checks: a second, plus a
    /// multiple of the longest delay of late threads.
    var afterEnd: Duration {
        let latenesses = 20
        return .seconds(1) + (stall == 0 ? .zero : .milliseconds(stallMilliseconds) * latenesses)
    }

    /// Returns the hazards of a device, in addition to the events that the test declares.
    func hazard(_ name: String) -> Hazard {
        let until = duration - min(quietPeriod, duration / 2)
        return Hazard(name, kills: kills, pause: Hazard.pause(in: until), until: until, bringing: hazards.map(\.device))
    }

    /// The environment variables of every device.
    var variables: [String: String] {
        // Timelines are drawn from debug logs.
        var variables = ["WATCHLINK_LOG_LEVEL": "debug"]
        if strategy == .orders { variables.merge(DeliveryReordering.variables) { $1 } }
        if !hazards.isEmpty {
            variables["WATCHLINK_HAZARDS"] = DeviceHazard.words(forSession: hazards.map(\.device))
        }
        return variables.merging(environment) { _, own in own }
    }

    /// The settings of each seed's world.
    var world: WorldSettings {
        var world = WorldSettings()
        world.epoch = WorldSettings.epochOfApps
        (world.preemption, world.stall, world.stallMilliseconds) = (preemption, stall, stallMilliseconds)
        return world
    }

    static let seedsVariable = "WATCHLINK_SEEDS"
    static let replayVariable = "WATCHLINK_REPLAY"
    static let findingsVariable = "WATCHLINK_FINDINGS"
}
