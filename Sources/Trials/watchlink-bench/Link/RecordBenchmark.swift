/// The cost of a message when both devices record a cassette.
struct RecordBenchmark {
    /// The pause after an answer. 2 ms: 400 messages a second, more than an app has.
    private static let pause = 0.002
    /// The length of a sample, in those of others. 4: twice as long with a recording, and twice as long without.
    private static let length = 4.0

    let effort: Effort
    let folder: BenchFolder

    func report() throws -> Report {
        var rows: [Measurement] = []
        for (words, pause) in [("one after the other", 0), ("a pause of 2 ms between", Self.pause)] {
            let outcome = try sample(pause: pause)
            rows.append(
                Measurement(
                    name: "WCSession, recorded, \(words), p50", value: outcome.recorded.p50, unit: .seconds,
                    reference: ("not recorded", outcome.plain.p50), goal: .ratioAtMost(1.03),
                    details: outcome.recorded.percentiles))
        }
        return Report(title: "Recording: a message in flight, both devices record in every other 100 ms", rows: rows)
    }

    private func sample(pause: Double) throws -> RecordedOutcome {
        var options = PeerOptions(socket: "")
        options.seconds = effort.seconds * Self.length
        options.pause = pause
        options.recordings = try folder.socket("cassettes")
        let server = try MeasuredServer("session", options, in: folder)
        return .median(
            try (0..<effort.rounds).map { _ in
                try PeerProcess.drive("session-recorded", server.options, as: RecordedOutcome.self)
            })
    }
}
