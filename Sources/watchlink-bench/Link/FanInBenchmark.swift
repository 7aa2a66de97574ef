import Foundation

/// Many companions of one host, one message under way on each.
struct FanInBenchmark {
    let effort: Effort
    let folder: BenchFolder

    func report() throws -> Report {
        var (link, session): ([Measurement], [Measurement]) = ([], [])
        for connections in [1, 10, 100, 1_000, 5_000] where effort.scale == 1 || connections <= 100 {
            let rows = try measure(connections)
            link += rows.link
            session += rows.session
        }
        return Report(title: "Fan-in: one message under way on each connection", rows: link + session)
    }

    /// A sample of each in turn, over and over, against bare sockets.
    private func measure(_ connections: Int) throws -> (link: [Measurement], session: [Measurement]) {
        let reference = try Contestant("raw-fan-in", drivenBy: "raw-fan-in", connections, folder, effort)
        let link = try Contestant("link", drivenBy: "fan-in", connections, folder, effort)
        let session = try Contestant("session", drivenBy: "fan-in", connections, folder, effort)
        for _ in 0..<effort.rounds { for contestant in [reference, link, session] { try contestant.drive() } }
        let raw = ("raw sockets", reference.outcome.rate)
        return (
            try link.measurements("link", against: raw), try session.measurements("WCSession", against: raw)
        )
    }

    /// A server with its driver.
    private final class Contestant {
        private let driver: String
        private let options: PeerOptions
        private let server: PeerProcess
        private let bytesAtRest: Double
        private var outcomes: [Outcome] = []
        var outcome: Outcome { .median(outcomes) }

        init(
            _ name: String, drivenBy driver: String, _ connections: Int, _ folder: BenchFolder, _ effort: Effort
        ) throws {
            self.driver = driver
            var options = PeerOptions(socket: try folder.socket(name))
            options.seconds = effort.seconds
            options.connections = connections
            (options.request, options.reply) = try LinkPeer.sizes()
            self.options = options
            server = try PeerProcess.serve(name, options)
            bytesAtRest = try ProcessFigures.residentBytes(server.identifier)
        }

        deinit { server.stop() }

        func drive() throws { outcomes.append(try PeerProcess.drive(driver, options)) }

        func measurements(_ name: String, against reference: (String, Double)) throws -> [Measurement] {
            let connections = options.connections
            let isJudged = connections == 1_000
            let rate = Measurement(
                name: "\(name), \(connections) companions", value: outcome.rate, unit: .perSecond,
                reference: reference, goal: isJudged ? .atLeast(150_000) : nil, details: outcome.percentiles)
            guard connections >= 1_000 else { return [rate] }
            let bytes = try ProcessFigures.peakBytes(server.identifier) - bytesAtRest
            let memory = Measurement(
                name: "\(name), memory for each of \(connections)", value: bytes / Double(connections), unit: .bytes,
                goal: isJudged ? .atMost(16 * 1_024) : nil)
            return [rate, memory]
        }
    }
}
