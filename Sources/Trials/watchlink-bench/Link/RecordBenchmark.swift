import Foundation

/// The cost of a message when both devices record a cassette.
struct RecordBenchmark {
    /// The pause after an answer. 2 ms: 400 messages a second, more than an app has.
    private static let pause = 0.002
    /// The pairs of samples in each round. 4: between messages a processor sleeps, and how deep moves p50 by a third from one
    /// second to the next, but less within a pair; the pair whose ratio is the median counts.
    private static let pairs = 4

    let effort: Effort
    let folder: BenchFolder

    func report() throws -> Report {
        var rows: [Measurement] = []
        for (words, pause) in [("one after the other", 0), ("a pause of 2 ms between", Self.pause)] {
            let (plain, recorded) = try race(pause: pause)
            rows.append(
                Measurement(
                    name: "WCSession, recorded, \(words), p50", value: recorded.p50, unit: .seconds,
                    reference: ("not recorded", plain.p50), goal: .ratioAtMost(1.03), details: recorded.percentiles))
        }
        return Report(title: "Recording: a message in flight, both devices record a cassette", rows: rows)
    }

    private func race(pause: Double) throws -> (plain: Outcome, recorded: Outcome) {
        var options = PeerOptions(socket: "")
        options.seconds = effort.seconds
        options.pause = pause
        let plain = try MeasuredServer("session", options, in: folder)
        options.recordings = try folder.socket("cassettes")
        let recorded = try MeasuredServer("session", options, in: folder)
        var samples: [(plain: Outcome, recorded: Outcome)] = []
        for number in 0..<effort.rounds * Self.pairs {
            // Each is first in every other pair, so a drift counts for neither.
            let first = try (number.isMultiple(of: 2) ? plain : recorded).sample()
            let second = try (number.isMultiple(of: 2) ? recorded : plain).sample()
            samples.append(number.isMultiple(of: 2) ? (first, second) : (second, first))
        }
        samples.sort { $0.recorded.p50 * $1.plain.p50 < $1.recorded.p50 * $0.plain.p50 }
        return samples[samples.count / 2]
    }
}
