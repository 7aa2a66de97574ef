import Foundation

/// Round trips and throughput of the link and the session, against a raw socket with the same bytes.
struct LinkBenchmark {
    let effort: Effort
    let folder: BenchFolder

    func roundtrip() throws -> Report {
        var rows: [Measurement] = []
        for isPinned in [true, false] {
            let (raw, link, session) = try race(outstanding: 1, isPinned: isPinned)
            let place = isPinned ? "one core" : "two cores"
            let reference = ("raw socket", raw.p50)
            rows.append(
                Measurement(
                    name: "link, \(place), p50", value: link.p50, unit: .seconds, reference: reference,
                    goal: isPinned ? .ratioAtMost(4) : nil, details: link.percentiles))
            rows.append(
                Measurement(
                    name: "WCSession, \(place), p50", value: session.p50, unit: .seconds, reference: reference,
                    goal: isPinned ? .atMost(30e-6) : nil, details: session.percentiles))
        }
        return Report(title: "Round trip: one message in flight, a quiz out, an acknowledgement back", rows: rows)
    }

    func throughput() throws -> Report {
        let (raw, link, session) = try race(outstanding: 256, isPinned: false)
        let reference = ("raw socket", raw.rate)
        return Report(
            title: "Throughput: 256 messages in flight",
            rows: [
                Measurement(
                    name: "link", value: link.rate, unit: .perSecond, reference: reference, goal: .atLeast(300_000),
                    details: link.percentiles),
                Measurement(
                    name: "WCSession", value: session.rate, unit: .perSecond, reference: reference,
                    goal: .atLeast(120_000), details: session.percentiles),
            ])
    }

    private func race(outstanding: Int, isPinned: Bool) throws -> (raw: Outcome, link: Outcome, session: Outcome) {
        var options = PeerOptions(socket: "")
        options.isPinned = isPinned
        options.seconds = effort.seconds
        options.outstanding = outstanding
        let raw = try MeasuredServer("raw", options, in: folder)
        let link = try MeasuredServer("link", options, in: folder)
        let session = try MeasuredServer("session", options, in: folder)
        try MeasuredServer.race([raw, link, session], rounds: effort.rounds)
        return (raw.outcome, link.outcome, session.outcome)
    }
}
