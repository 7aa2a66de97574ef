import Foundation

/// Many companions of one host, one message under way on each.
struct FanInBenchmark {
    let effort: Effort
    let folder: BenchFolder

    func report() throws -> Report {
        var rows: [Measurement] = []
        for connections in [1, 10, 100, 1_000, 5_000] where effort.scale == 1 || connections <= 100 {
            var options = PeerOptions(socket: try folder.socket("fan"))
            options.seconds = effort.seconds
            options.connections = connections
            let server = try PeerProcess.serve("session", options)
            defer { server.stop() }
            let before = try ProcessFigures.residentBytes(server.identifier)
            var outcomes: [Outcome] = []
            for _ in 0..<effort.rounds { outcomes.append(try PeerProcess.drive("fan-in", options)) }
            let after = try ProcessFigures.peakBytes(server.identifier)
            let outcome = Outcome.median(outcomes)
            rows.append(
                Measurement(
                    name: "\(connections) companions", value: outcome.rate, unit: .perSecond,
                    goal: connections == 1_000 ? .atLeast(150_000) : nil, details: outcome.percentiles))
            guard connections >= 1_000 else { continue }
            rows.append(
                Measurement(
                    name: "memory for each of \(connections)", value: (after - before) / Double(connections),
                    unit: .bytes, goal: connections == 1_000 ? .atMost(16 * 1_024) : nil))
        }
        return Report(title: "Fan-in: one message under way on each connection", rows: rows)
    }
}
