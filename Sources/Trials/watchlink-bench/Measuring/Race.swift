import CAllocations

/// Times contenders in one run with alternating samples, so that disturbances by the machine affect all of them.
enum Race {
    /// The shortest sample. 10 ms: far above the cost of the clock and a scheduler time slice.
    private static let sample = Duration.milliseconds(10)
    /// The number of samples of each contender, whose median is stable on a noisy machine.
    private static let rounds = 21
    /// Contenders with longer operations than this get fewer rounds.
    private static let long = Duration.milliseconds(100)
    private static let longRounds = 3

    static func run(_ effort: Effort, _ contenders: [Contender]) throws -> [Figure] {
        // A quick check takes only one sample.
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

    /// Returns the number of operations in one sample, and the time of one.
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
