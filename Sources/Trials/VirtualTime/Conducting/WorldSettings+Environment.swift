import CVirtualTime

extension WorldSettings {
    /// Returns the environment variables that configure the world of a program that preloads the library.
    func environment(for course: Course) -> [String: String] {
        let strategy =
            switch course.strategy {
            case .random: "random"
            case .priorities(let depth, let steps): "pct:\(depth):\(steps)"
            }
        let nanosecondsOfSecond: Int64 = 1_000_000_000
        return [
            VIRTUAL_TIME_SEED: "\(course.seed)",
            VIRTUAL_TIME_STRATEGY: strategy,
            VIRTUAL_TIME_SEQUEL: course.remainder.rawValue,
            VIRTUAL_TIME_GIVEN: "\(course.given)",
            VIRTUAL_TIME_PREEMPTION: "\(preemption)",
            VIRTUAL_TIME_STALL: "\(stall):\(stallMilliseconds)",
            VIRTUAL_TIME_EDGES: edges ? "1" : "0",
            VIRTUAL_TIME_TRACE: tracesSteps ? "steps" : "lines",
            VIRTUAL_TIME_EPOCH: "\(epoch / nanosecondsOfSecond)",
            VIRTUAL_TIME_HORIZON: "\(horizon / nanosecondsOfSecond)",
            VIRTUAL_TIME_SPIN: "\(spinMilliseconds)",
        ]
    }
}
