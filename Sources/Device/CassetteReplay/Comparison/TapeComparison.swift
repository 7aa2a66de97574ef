import LinkProtocol

/// The comparison of two courses of one app: a recorded and a replayed one, or those of two machines.
package struct TapeComparison: Sendable {
    package let deviations: [Deviation]
    /// The number of recorded deeds that were found again.
    package let matched: Int
    /// The number of recorded deeds.
    package let recorded: Int
    /// The recorded events that those of the replay stand for: deeds, and calls of the app's code.
    package let places: [Int: Int]

    package var verdict: Verdict { deviations.map(\.verdict).max() ?? .same }

    /// The least delay of an answer that is a change, in microseconds. 1 s: below, a person notices none.
    private static let leastDelay: Int64 = 1_000_000

    /// The messages or transfers whose order one receiver sees.
    private struct Lane: Hashable {
        let channel: Channel
        let watch: Int?
    }

    /// Compares two tapes.
    ///
    /// - Parameters:
    ///   - end: The end of the recording in microseconds, if the courses last longer: what is done after it is not compared.
    ///   - others: Further courses of the build that was replayed, which show what is chance.
    ///   - variables: The key paths whose values differ from run to run, by kind of event.
    package init(
        _ recorded: AppTape, _ replayed: AppTape, until end: Int64 = .max, others: [AppTape] = [],
        variables: [String: VariablePaths] = [:]
    ) {
        let matching = DeedMatching(recorded, replayed, until: end) { variables[$0] ?? VariablePaths() }
        var deviations: [Deviation] = []
        var bindings = Self.given(recorded, replayed, matching)
        for pair in matching.pairs {
            let (old, new) = (pair.recorded, pair.replayed)
            func note(_ kind: Deviation.Kind) {
                deviations.append(
                    Deviation(recorded: old.sequence, replayed: new.sequence, event: old.kind, kind))
            }
            if old.role == .answer, new.role == .droppedAnswer {
                note(.unanswered)
                continue
            }
            if old.role == .answer, old.error == nil, new.error != nil {
                note(.outcome(from: "sent", to: Self.refusal(new)))
                continue
            }
            let changes = ContentComparison.changes(
                from: old.content, to: new.content, &bindings, variables: variables[old.kind] ?? VariablePaths())
            for change in changes { note(.content(change)) }
            if old.wantsReply != new.wantsReply { note(.reply(wanted: new.wantsReply)) }
            if !pair.isSameOccasion { note(.occasion) }
            Self.outcome(old, new, recorded, replayed).map(note)
            if old.role == .answer, recorded.isWritten(old), !replayed.isWritten(new), !replayed.isCutOff(new) {
                note(.outcome(from: "sent", to: "not sent, such as one that is too large"))
            }
            Self.delay(old, new, recorded, replayed).map(note)
        }
        deviations += Self.swapped(matching.pairs, recorded, [replayed] + others)
        let delivered = Set(matching.packages.values)
        let unheard = Set(
            matching.pairs.compactMap { Self.unheard($0.recorded, $0.replayed, recorded, replayed)?.sequence })
        var refused = RefusedCalls(recorded, replayed)
        deviations += matching.missing.compactMap { deed in
            if let occasion = deed.occasion, unheard.contains(occasion) { return nil }
            if let error = refused.take(for: deed) {
                return Deviation(
                    recorded: deed.sequence, replayed: error.sequence, event: deed.kind,
                    .outcome(from: Self.outcome(recorded.outcome(of: deed.package)), to: Self.refusal(error)))
            }
            let isAsked = deed.role != .answer || deed.package.map(delivered.contains) ?? true
            return Deviation(recorded: deed.sequence, replayed: nil, event: deed.kind, isAsked ? .missing : .unasked)
        }
        deviations += matching.extra.map {
            Deviation(recorded: nil, replayed: $0.sequence, event: $0.kind, .extra)
        }
        func time(_ deviation: Deviation) -> Int64 {
            (deviation.recorded.flatMap(recorded.event) ?? deviation.replayed.flatMap(replayed.event))?.time ?? .max
        }
        // The first difference comes first, also one of the replay alone.
        self.deviations = deviations.sorted {
            (time($0), $0.recorded ?? .max, $0.replayed ?? .max, $1.verdict)
                < (time($1), $1.recorded ?? .max, $1.replayed ?? .max, $0.verdict)
        }
        self.recorded = recorded.deeds.count
        matched = matching.pairs.count
        places = matching.pairs.reduce(into: matching.occasions) { $0[$1.replayed.sequence] = $1.recorded.sequence }
    }

    /// Returns the values that the counterpart gave to the apps, each with what it stands for.
    private static func given(_ recorded: AppTape, _ replayed: AppTape, _ matching: DeedMatching) -> Bindings {
        var bindings = Bindings()
        for event in replayed.events where event.content != nil {
            let old: AppEvent? =
                switch event.role {
                case .delivery: event.package.flatMap { recorded.delivery(of: matching.packages[$0]) }
                case .outcome: event.package.flatMap { recorded.outcome(of: matching.packages[$0]) }
                case .call, .answer, .droppedAnswer, .cancel, .activation, .refusal, .notice, .link, .action, .fault:
                    nil
                }
            guard let old else { continue }
            _ = ContentComparison.changes(from: old.content, to: event.content, &bindings)
        }
        return bindings
    }

    /// Returns the difference between the outcomes of a message or transfer.
    private static func outcome(
        _ old: AppEvent, _ new: AppEvent, _ recorded: AppTape, _ replayed: AppTape
    ) -> Deviation.Kind? {
        guard old.role.isCall else { return nil }
        let (before, now) = (recorded.outcome(of: old.package), replayed.outcome(of: new.package))
        let (from, to) = (Self.outcome(before), Self.outcome(now))
        guard from != to else { return nil }
        // What the link took with it when it went down can arrive in a replay, whose packages take other times.
        if unheard(old, new, recorded, replayed) != nil { return nil }
        if before == nil {
            // A message without a reply has an outcome only if it fails; but the recording may have ended too early.
            guard let now, now.error != nil, now.time - new.time <= recorded.duration - old.time else { return nil }
        }
        // The replay may have ended before it was known.
        if now == nil, before?.error == nil { return nil }
        return .outcome(from: from, to: to)
    }

    /// Returns an outcome in words.
    private static func outcome(_ event: AppEvent?) -> String {
        guard let event else { return "none" }
        if event.role == .refusal { return refusal(event) }
        return event.error.map { "error \($0)" } ?? (event.kind == "replyHandler" ? "a reply" : "delivered")
    }

    /// Returns the words for a call or an answer that the session refused, with the error's name, as it has left no other trace.
    private static func refusal(_ event: AppEvent) -> String {
        "a refusal with \(event.errorInWords)"
    }

    /// Returns the error of a lost message or transfer that did not come in the replay: what the app did because of it is not
    /// missed either.
    private static func unheard(
        _ old: AppEvent, _ new: AppEvent, _ recorded: AppTape, _ replayed: AppTape
    ) -> AppEvent? {
        guard old.role.isCall, let before = recorded.outcome(of: old.package), before.error != nil,
            replayed.outcome(of: new.package)?.error == nil, recorded.isLost(old, until: before)
        else { return nil }
        return before
    }

    /// Returns the delay of an answer beyond what was recorded: twice as long, and at least a second.
    private static func delay(
        _ old: AppEvent, _ new: AppEvent, _ recorded: AppTape, _ replayed: AppTape
    ) -> Deviation.Kind? {
        guard old.role == .answer, let from = recorded.delivery(of: old.package),
            let to = replayed.delivery(of: new.package)
        else { return nil }
        let (before, now) = (old.time - from.time, new.time - to.time)
        return now - before >= leastDelay && now > 2 * before ? .late(from: before, to: now) : nil
    }

    /// Returns the deeds that changed places with others whose order the receiver sees.
    private static func swapped(
        _ pairs: [DeedMatching.Pair], _ recorded: AppTape, _ replays: [AppTape]
    ) -> [Deviation] {
        // Most courses need none.
        lazy var evidence = OrderEvidence([[recorded], replays], kinds: MessageKinds([recorded]))
        // Each watch sees its own.
        var latest: [Lane: DeedMatching.Pair] = [:]
        var found: [Deviation] = []
        for pair in pairs {
            guard case .call(let channel) = pair.recorded.role else { continue }
            let lane = Lane(
                channel: channel.lane, watch: recorded.namesWatches ? recorded.watch(of: pair.recorded) : nil)
            guard let last = latest[lane], pair.replayed.sequence < last.replayed.sequence else {
                latest[lane] = pair
                continue
            }
            // The recording may hide what the replay shows.
            if !evidence.isChance(last.recorded, pair.recorded), !evidence.isChance(pair.replayed, last.replayed) {
                found.append(
                    Deviation(
                        recorded: pair.recorded.sequence, replayed: pair.replayed.sequence, event: pair.recorded.kind,
                        .order))
            }
        }
        return found
    }
}
