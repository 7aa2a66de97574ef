import Foundation

/// Round trips and throughput of the link and the session, against a raw socket with the same bytes.
struct LinkBenchmark {
    let effort: Effort
    let folder: BenchFolder

    /// The results of one race.
    private struct Outcomes {
        let raw: Outcome
        let link: Outcome
        let session: Outcome
        /// A session that sends the bytes of ``BenchDictionary`` with `sendMessageData`.
        let sameData: Outcome
        /// A session that sends the dictionary itself with `sendMessage`.
        let dictionary: Outcome
    }

    func roundtrip() throws -> Report {
        var rows: [Measurement] = []
        for isPinned in [true, false] {
            let outcomes = try race(outstanding: 1, isPinned: isPinned)
            let (link, session, dictionary) = (outcomes.link, outcomes.session, outcomes.dictionary)
            let place = isPinned ? "one core" : "two cores"
            let reference = ("raw socket", outcomes.raw.p50)
            rows.append(
                Measurement(
                    name: "link, \(place), p50", value: link.p50, unit: .seconds, reference: reference,
                    goal: isPinned ? .ratioAtMost(4) : nil, details: link.percentiles))
            rows.append(
                Measurement(
                    name: "WCSession, \(place), p50", value: session.p50, unit: .seconds, reference: reference,
                    goal: isPinned ? .atMost(30e-6) : nil, details: session.percentiles))
            rows.append(
                Measurement(
                    name: "WCSession, a dictionary of 15 answers, \(place), p50", value: dictionary.p50, unit: .seconds,
                    reference: ("the same bytes as data", outcomes.sameData.p50), goal: .ratioAtMost(1.8),
                    details: dictionary.percentiles))
        }
        return Report(title: "Round trip: one message in flight, a quiz out, an acknowledgement back", rows: rows)
    }

    func throughput() throws -> Report {
        let outcomes = try race(outstanding: 256, isPinned: false)
        let (link, session, dictionary) = (outcomes.link, outcomes.session, outcomes.dictionary)
        let reference = ("raw socket", outcomes.raw.rate)
        return Report(
            title: "Throughput: 256 messages in flight",
            rows: [
                Measurement(
                    name: "link", value: link.rate, unit: .perSecond, reference: reference, goal: .atLeast(300_000),
                    details: link.percentiles),
                Measurement(
                    name: "WCSession", value: session.rate, unit: .perSecond, reference: reference,
                    goal: .atLeast(120_000), details: session.percentiles),
                Measurement(
                    name: "WCSession, a dictionary of 15 answers", value: dictionary.rate, unit: .perSecond,
                    reference: ("the same bytes as data", outcomes.sameData.rate), details: dictionary.percentiles),
            ])
    }

    private func race(outstanding: Int, isPinned: Bool) throws -> Outcomes {
        var options = PeerOptions(socket: "")
        options.isPinned = isPinned
        options.seconds = effort.seconds
        options.outstanding = outstanding
        let raw = try MeasuredServer("raw", options, in: folder)
        let link = try MeasuredServer("link", options, in: folder)
        let session = try MeasuredServer("session", options, in: folder)
        let sameData = try MeasuredServer("session-dictionary", drivenBy: "session-data", options, in: folder)
        let dictionary = try MeasuredServer("session-dictionary", options, in: folder)
        try MeasuredServer.race([raw, link, session, sameData, dictionary], rounds: effort.rounds)
        return Outcomes(
            raw: raw.outcome, link: link.outcome, session: session.outcome, sameData: sameData.outcome,
            dictionary: dictionary.outcome)
    }
}
