import DeviceWorlds
import Foundation
import LinkProtocol
public import VirtualTime

/// How a simulated test is run.
public struct SimulationSettings: Sendable {
    /// Each is a world of its own, with another order of everything in it.
    public var seeds: ClosedRange<Int> = 1...100
    /// How long the devices live, in virtual time; an hour.
    public var duration: Duration = .seconds(3_600)
    /// How often a seed kills each device at most, and starts it again, beside what the test declares.
    public var kills = 0
    /// The trouble that a seed may bring to each device.
    public var hazards: Set<SimulatedHazard> = []
    /// For so long before the end no seed kills a device, fills its disk or sets its clock, so that what was promised can be kept. Of a short
    /// duration it is half at most.
    public var calm: Duration = .seconds(300)
    /// The rule by which seeds decide.
    public var strategy = StrategyChoice.random
    /// At one in so many places where a thread may be interrupted it is; 0: at none.
    public var preemption = WorldSettings().preemption
    /// One in so many times that a thread goes on it is late; 0: never.
    public var stall = WorldSettings().stall
    /// Late by up to this; an hour at most.
    public var stallMilliseconds = WorldSettings().stallMilliseconds
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
        guard duration > .zero, duration <= Script.longest - afterEnd else { throw .duration(duration) }
        guard Self.jobs.contains(jobs) else { throw .jobs(jobs) }
        guard seeds.lowerBound >= 0 else { throw .seeds(seeds) }
        guard 0...Hazard.mostKills ~= kills else { throw .kills(kills) }
        guard calm >= .zero else { throw .calm(calm) }
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

    /// Devices have so long, after the end of the world's time, to look at what must hold: a second, and for threads that are late some times as
    /// long as they may be.
    var afterEnd: Duration {
        let latenesses = 20
        return .seconds(1) + (stall == 0 ? .zero : .milliseconds(stallMilliseconds) * latenesses)
    }

    /// What may be done to a device beside what the test declares.
    func hazard(_ name: String) -> Hazard {
        let until = duration - min(calm, duration / 2)
        return Hazard(name, kills: kills, pause: Hazard.pause(in: until), until: until, bringing: hazards.map(\.device))
    }

    /// The variables of every device.
    var variables: [String: String] {
        // What pictures are drawn of.
        var variables = ["WATCHLINK_LOG_LEVEL": "debug"]
        if !hazards.isEmpty {
            variables["WATCHLINK_HAZARDS"] = DeviceHazard.words(forSession: hazards.map(\.device))
        }
        return variables.merging(environment) { _, own in own }
    }

    /// The nature of each seed's world.
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
