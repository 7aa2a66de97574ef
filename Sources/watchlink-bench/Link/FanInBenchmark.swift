import Foundation

/// Many companions of one host, one message under way on each.
struct FanInBenchmark {
    let effort: Effort
    let folder: BenchFolder

    func report() throws -> Report {
        var rows: [Measurement] = []
        for (level, name) in [("link", "link"), ("session", "WCSession")] {
            for connections in [1, 10, 100, 1_000, 5_000] where effort.scale == 1 || connections <= 100 {
                rows += try measure(level, name, connections)
            }
        }
        return Report(title: "Fan-in: one message under way on each connection", rows: rows)
    }

    private func measure(_ level: String, _ name: String, _ connections: Int) throws -> [Measurement] {
        var options = PeerOptions(socket: try folder.socket("fan"))
        options.seconds = effort.seconds
        options.connections = connections
        let server = try PeerProcess.serve(level, options)
        defer { server.stop() }
        let before = try ProcessFigures.residentBytes(server.identifier)
        var outcomes: [Outcome] = []
        for _ in 0..<effort.rounds { outcomes.append(try PeerProcess.drive("fan-in", options)) }
        let after = try ProcessFigures.peakBytes(server.identifier)
        let outcome = Outcome.median(outcomes)
        let rate = Measurement(
            name: "\(name), \(connections) companions", value: outcome.rate, unit: .perSecond,
            goal: connections == 1_000 ? .atLeast(150_000) : nil, details: outcome.percentiles)
        guard connections >= 1_000 else { return [rate] }
        let memory = Measurement(
            name: "\(name), memory for each of \(connections)", value: (after - before) / Double(connections),
            unit: .bytes, goal: connections == 1_000 ? .atMost(16 * 1_024) : nil)
        return [rate, memory]
    }
}
