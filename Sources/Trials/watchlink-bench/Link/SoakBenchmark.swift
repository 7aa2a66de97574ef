import Foundation

/// The same load for a long time, to check that latency and memory stay constant.
struct SoakBenchmark {
    /// The number of parts measured separately.
    private static let parts = 10

    let minutes: Double
    let folder: BenchFolder

    func report(progress: (String) -> Void) throws -> Report {
        var options = PeerOptions(socket: try folder.socket("soak"))
        options.seconds = minutes * 60 / Double(Self.parts)
        options.outstanding = 64
        options.keepsLedger = true
        let server = try PeerProcess.serve("session", options)
        defer { server.stop() }
        var rows: [Measurement] = []
        var first: (p50: Double, host: Double, companion: Double)?
        for part in 1...Self.parts {
            progress("part \(part) of \(Self.parts)")
            let outcome = try PeerProcess.drive("session", options)
            let resident = try ProcessFigures.residentBytes(server.identifier)
            let base = first ?? (outcome.p50, resident, outcome.peakBytes)
            first = base
            rows.append(
                Measurement(
                    name: "part \(part), p50", value: outcome.p50, unit: .seconds, reference: ("the first", base.p50),
                    details: outcome.percentiles + [("messages", Double(outcome.count))]))
            rows.append(
                Measurement(
                    name: "part \(part), host's memory", value: resident, unit: .bytes,
                    reference: ("the first", base.host)))
            rows.append(
                Measurement(
                    name: "part \(part), companion's peak memory", value: outcome.peakBytes, unit: .bytes,
                    reference: ("the first", base.companion)))
        }
        return Report(title: "Soak: \(Measurement.plain(minutes)) minutes, 64 messages in flight", rows: rows)
    }
}
