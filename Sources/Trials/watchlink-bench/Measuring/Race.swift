import CAllocations

/// Times contenders against each other in one run, a sample of each in turn: whatever else the machine does, it does to all.
enum Race {
    /// Shortest sample. 10 ms: far above the clock's own cost and a turn of the scheduler.
    private static let sample = Duration.milliseconds(10)
    /// Samples of each contender; the median of as many is steady on a noisy machine.
    private static let rounds = 21
    /// Contenders that take longer than this for one piece of work get fewer rounds.
    private static let long = Duration.milliseconds(100)
    private static let longRounds = 3

    static func run(_ effort: Effort, _ contenders: [Contender]) throws -> [Figure] {
        // Someone who only wants to see that it works waits for one sample.
        let rounds = effort.rounds == 1 ? 1 : rounds
        let repetitions = try contenders.map(calibrate)
        var samples = contenders.map { _ in [Double]() }
        for round in 0..<rounds {
            for (place, contender) in contenders.enumerated() {
                let isLong = repetitions[place].time > long
                guard !isLong || round < longRounds else { continue }
                let elapsed = try time(contender, repetitions[place].count)
                samples[place].append(nanoseconds(elapsed) / Double(repetitions[place].count))
            }
        }
        return try zip(contenders, samples).map { contender, samples in
            Figure(nanoseconds: samples.sorted()[samples.count / 2], allocations: try allocations(contender))
        }
    }

    /// How often the work is done in one sample, and how long once takes.
    private static func calibrate(_ contender: Contender) throws -> (count: Int, time: Duration) {
        var count = 1
        while true {
            let elapsed = try time(contender, count)
            if elapsed >= sample || elapsed / count > long { return (count, elapsed / count) }
            count *= 2
        }
    }

    private static func time(_ contender: Contender, _ count: Int) throws -> Duration {
        let start = ContinuousClock.now
        for _ in 0..<count { try contender.work() }
        return ContinuousClock.now - start
    }

    private static func allocations(_ contender: Contender) throws -> Double {
        let before = watchlink_allocations()
        try contender.work()
        return Double(watchlink_allocations() - before)
    }

    private static func nanoseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
    }
}
