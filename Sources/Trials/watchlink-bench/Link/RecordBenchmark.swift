import Foundation

/// The cost of a message when both devices record a cassette.
struct RecordBenchmark {
    /// The pause after an answer. 2 ms: 400 messages a second, more than an app has.
    private static let pause = 0.002

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
        try MeasuredServer.race([plain, recorded], rounds: effort.rounds * 2)
        return (plain.outcome, recorded.outcome)
    }
}
