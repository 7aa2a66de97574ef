import Foundation

/// Many companions of one host, with one message in flight on each connection.
struct FanInBenchmark {
    let effort: Effort
    let folder: BenchFolder

    /// The goals with a thousand companions.
    private struct Goals {
        let rate: Measurement.Goal
        let memory: Measurement.Goal

        static let link = Goals(rate: .atLeast(150_000), memory: .atMost(16 * 1_024))
        static let session = Goals(rate: .ratioAtLeast(0.6), memory: .atMost(5 * 1_024))
    }

    func report() throws -> Report {
        var (link, session): ([Measurement], [Measurement]) = ([], [])
        for connections in [1, 10, 100, 1_000, 5_000] where effort.scale == 1 || connections <= 100 {
            let rows = try measure(connections)
            link += rows.link
            session += rows.session
        }
        return Report(title: "Fan-in: one message in flight on each connection", rows: link + session)
    }

    /// Measures the link and the session against raw sockets.
    private func measure(_ connections: Int) throws -> (link: [Measurement], session: [Measurement]) {
        var options = PeerOptions(socket: "")
        options.seconds = effort.seconds
        options.connections = connections
        let reference = try MeasuredServer("raw-fan-in", options, in: folder)
        let link = try MeasuredServer("link", drivenBy: "fan-in", options, in: folder)
        let session = try MeasuredServer("session", drivenBy: "fan-in", options, in: folder)
        try MeasuredServer.race([reference, link, session], rounds: effort.rounds)
        let raw = ("raw sockets", reference.outcome.rate)
        return (
            try measurements(link, "link", .link, against: raw),
            try measurements(session, "WCSession", .session, against: raw)
        )
    }

    private func measurements(
        _ server: MeasuredServer, _ name: String, _ goals: Goals, against reference: (String, Double)
    ) throws -> [Measurement] {
        let connections = server.options.connections
        let isJudged = connections == 1_000
        let outcome = server.outcome
        let rate = Measurement(
            name: "\(name), \(connections) companions", value: outcome.rate, unit: .perSecond, reference: reference,
            goal: isJudged ? goals.rate : nil, details: outcome.percentiles)
        guard connections >= 1_000 else { return [rate] }
        let memory = Measurement(
            name: "\(name), memory for each of \(connections)", value: try server.bytesEach, unit: .bytes,
            goal: isJudged ? goals.memory : nil)
        return [rate, memory]
    }
}
