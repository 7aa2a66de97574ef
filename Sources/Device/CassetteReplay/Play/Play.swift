import LinkProtocol

/// The counterpart's part, derived from what a recorded app was told.
package struct Play: Sendable {
    package internal(set) var moves: [Move]
    /// The messages and transfers that the app started.
    package let calls: [AppEvent]
    /// The times at which they were handed to the link, by their positions. A message without a connection never is, nor is
    /// a context that the next one overtook.
    let departures: [Int: Int64]
    /// The app's answers, by the positions of the moves that they answer.
    let answers: [Int: AppEvent]
    /// The time at which the app was first told that its counterpart is reachable; nil if it was not.
    let reachable: Int64?
    /// The kinds of the app's messages.
    let kinds: MessageKinds
    /// The messages that did not arrive, or whose acknowledgement did not, by their positions: those for which the app wants no
    /// reply, and waited in vain. Those that want one are lost again by not being answered.
    package let lost: Set<Int>

    /// The actions on a device after which its own link is down, whatever the counterpart does.
    private static let ownDowns: Set<String> = [
        "link-down", "terminated", "suspended", "reboot", "uninstall",
    ]

    /// The longest time in which a counterpart is taken to react, in microseconds. 100 ms: apps react in milliseconds, and
    /// what people do comes seconds apart.
    private static let reactionTime: Int64 = 100_000

    /// The longest time from a counterpart's call to the app's link, in microseconds. 10 ms: without conditions it takes less
    /// than one, even in a debug build.
    private static let transit: Int64 = 10_000

    package init(_ tape: AppTape) {
        calls = tape.deeds.filter(\.role.isCall)
        departures = calls.reduce(into: [:]) { $0[$1.sequence] = tape.departure(of: $1)?.time }
        kinds = MessageKinds([tape])
        lost = Set(calls.filter { tape.isUnacknowledged($0) }.map(\.sequence))
        reachable = tape.events.first { $0.kind == "reachabilityDidChange" && $0.words == "reachable" }?.time
        var answers: [Int: AppEvent] = [:]
        var moves: [Move] = []
        let sources = ValueSources(tape)
        let repeated = RepeatedDeliveries(tape)
        for event in tape.events where !repeated.positions.contains(event.sequence) {
            guard let kind = Self.move(event, tape) else { continue }
            let moment = Self.moment(event, kind, tape, sources)
            if let words = repeated.faults[event.sequence] {
                // Its position lets it come first at the same moment.
                let position = tape.arrival(of: event).sequence
                moves.append(Move(sequence: position, moment: moment, kind: .fault(words: words)))
            }
            moves.append(Move(sequence: event.sequence, moment: moment, kind: kind, time: event.time))
            if case .send(_, _, _, wantsReply: true) = kind {
                answers[event.sequence] = tape.answer(to: event.package)
            }
        }
        self.answers = answers
        // Of moves at the same moment, the first is done first.
        self.moves = moves + Self.lateStates(tape) + Self.linkMoves(tape)
    }

    /// Returns a part that plays another value in one move.
    package func changed(_ change: PlayChange) -> Play {
        var play = self
        for index in play.moves.indices where play.moves[index].sequence == change.event {
            switch play.moves[index].kind {
            case .send(let channel, let content?, let bytes, let wantsReply):
                let content = change.applied(to: content) ?? content
                play.moves[index].kind = .send(channel, content, bytes: bytes, wantsReply: wantsReply)
            case .answer(let deed, let channel, let content?):
                play.moves[index].kind = .answer(deed: deed, channel, change.applied(to: content) ?? content)
            case .send, .answer, .activate, .link, .show, .act, .fault: break
            }
        }
        return play
    }

    private static func move(_ event: AppEvent, _ tape: AppTape) -> Move.Kind? {
        switch event.role {
        case .delivery(let channel, let wantsReply):
            return .send(channel, event.content, bytes: event.bytes, wantsReply: wantsReply)
        case .outcome where event.kind == "replyHandler":
            guard let call = tape.call(of: event.package), case .call(let channel) = call.role else { return nil }
            return .answer(deed: call.sequence, channel, event.content)
        case .action where isRecordedInEffect(event): return nil
        case .action:
            return .act(command: event.kind, words: (event.words ?? "").split(separator: " ").map(String.init))
        case .call, .answer, .droppedAnswer, .cancel, .activation, .refusal, .outcome, .notice, .link, .fault:
            return nil
        }
    }

    /// Returns true for an action that would have its effect twice if it was repeated: a fault of the link, after which
    /// something came late or twice, or did not come.
    private static func isRecordedInEffect(_ event: AppEvent) -> Bool {
        guard event.kind == "faults", let verb = event.words?.split(separator: " ").first else { return false }
        return FaultRule.verbs.contains(String(verb))
    }

    /// Returns the moment of a move: after the deed that caused it, if it is known, or that made a value which it passes
    /// on; else the time.
    private static func moment(
        _ event: AppEvent, _ kind: Move.Kind, _ tape: AppTape, _ sources: ValueSources
    ) -> Move.Moment {
        var deed: AppEvent?
        if case .answer = kind {
            deed = tape.call(of: event.package)
        } else if let origin = tape.origins[event.sequence].flatMap(tape.event) {
            deed = origin.role == .answer || origin.role.isCall ? origin : nil
        }
        if let deed = deed ?? sources.source(of: event) {
            return .after(deed: deed.sequence, delay: max(0, event.time - departure(of: deed, tape)))
        }
        guard case .send = kind else { return .at(event.time) }
        return moment(of: event, after: likelyCause(of: event, tape), tape)
    }

    /// Returns the latest message or transfer of the app to which the counterpart may have reacted with an event: one that
    /// was sent just before, or that was still to be answered.
    private static func likelyCause(of event: AppEvent, _ tape: AppTape) -> AppEvent? {
        // It had been sent when it arrived, some time before the app was told.
        let arrival = tape.arrival(of: event)
        return tape.deeds.last { deed in
            guard deed.role.isCall, tape.hasLeft(deed, before: arrival.sequence) else { return false }
            guard arrival.time - deed.time > reactionTime else { return true }
            return deed.wantsReply && tape.outcome(of: deed.package).map { $0.sequence > arrival.sequence } ?? true
        }
    }

    // MARK: - The link

    /// Returns the activation of the counterpart: with its first connection, or at once if the recording began while it was
    /// connected, or if nothing connected.
    static func arrival(_ tape: AppTape) -> Move? {
        let first = tape.events.first { $0.kind == "connected" || $0.kind == "disconnected" }
        if let first, first.kind == "connected" {
            return Move(sequence: first.sequence, moment: .at(first.time), kind: .activate)
        }
        return tape.events.first.map { Move(sequence: $0.sequence, moment: .at(0), kind: .activate) }
    }

    /// Returns the activation of the counterpart, and what it did to the link afterwards.
    private static func linkMoves(_ tape: AppTape) -> [Move] {
        guard let arrival = arrival(tape) else { return [] }
        var moves = [arrival]
        var (isConnected, isReachable) = (true, true)
        var isOwn = false
        let last = tape.events.last { $0.kind == "connected" || $0.role != .link && $0.role != .notice }?.sequence ?? 0
        var isPutOff = false
        func add(_ event: AppEvent, _ kind: Move.Kind, isDown: Bool) {
            let deed = isDown ? recentCall(before: event, tape) : nil
            let isAfterArrival = isDown && hasJustArrived(before: event, tape)
            var move = Move(
                sequence: event.sequence,
                moment: moment(of: event, after: deed, later: isAfterArrival ? transit : 0, tape), kind: kind)
            // The link comes up after it has gone down, however late that was.
            if !isDown, isPutOff { move.needs = [.order] }
            isPutOff = deed != nil || isAfterArrival
            moves.append(move)
        }
        for event in tape.events {
            switch event.kind {
            case "device", "link": isOwn = ownDowns.contains(event.words ?? "")
            case "connected":
                if event.sequence != arrival.sequence, !isOwn { add(event, .link(isUp: true), isDown: false) }
                isConnected = true
            case "disconnected":
                // The end of the recording is not played.
                if !isOwn, event.sequence < last { add(event, .link(isUp: false), isDown: true) }
                isConnected = false
            case PresentWatch.kind:
                // A watch that is not worn is out of reach because of that.
                guard let found = PresentWatch(event), found.isConnected, !found.isReachable,
                    tape.namesWatches || tape.watches.watch(at: event.sequence) == found.number
                else { continue }
                add(event, .show(false), isDown: true)
                isReachable = false
            case "reachabilityDidChange" where isConnected && !isOwn:
                let isNow = event.words == "reachable"
                // The first one is due to the activation.
                if isNow != isReachable { add(event, .show(isNow), isDown: !isNow) }
                isReachable = isNow
            default: break
            }
        }
        return moves
    }

    /// Returns the faults by which the app learned late of a counterpart that had just connected: until then it was out of reach.
    private static func lateStates(_ tape: AppTape) -> [Move] {
        tape.events.indices.compactMap { index in
            let fault = tape.events[index]
            guard fault.role == .fault, let words = fault.words, words.hasPrefix("delay in state "),
                let connection = tape.events[..<index].last(where: { $0.kind == "connected" }),
                fault.time - connection.time <= transit
            else { return nil }
            let list = words.split(separator: " ").map(String.init)
            return Move(sequence: connection.sequence, moment: .at(connection.time), kind: .fault(words: list))
        }
    }

    /// Returns the latest message or transfer of the app before an event of the link, if it may have met it: one that was lost
    /// with the link must be lost again, also if the app sends it a moment later.
    private static func recentCall(before event: AppEvent, _ tape: AppTape) -> AppEvent? {
        tape.deeds.last { deed in
            deed.role.isCall && event.time - deed.time <= reactionTime && tape.hasLeft(deed, before: event.sequence)
        }
    }

    /// Returns true if something arrived at the app just before an event of the link: it must not be lost now.
    private static func hasJustArrived(before event: AppEvent, _ tape: AppTape) -> Bool {
        tape.events.contains { other in
            other.sequence < event.sequence && event.time - other.time <= transit && tape.isArrival(other)
        }
    }

    /// - Parameters:
    ///   - deed: What has probably caused the event, if anything has.
    ///   - margin: The microseconds by which it is put off.
    private static func moment(
        of event: AppEvent, after deed: AppEvent?, later margin: Int64 = 0, _ tape: AppTape
    ) -> Move.Moment {
        let time = event.time + margin
        guard let deed else { return .at(time) }
        return .likelyAfter(deed: deed.sequence, delay: max(0, time - departure(of: deed, tape)), time: time)
    }

    /// Returns the time at which a deed was handed to the link: a transfer waits for a connection.
    private static func departure(of deed: AppEvent, _ tape: AppTape) -> Int64 {
        deed.role.isCall ? tape.departure(of: deed)?.time ?? deed.time : deed.time
    }
}
