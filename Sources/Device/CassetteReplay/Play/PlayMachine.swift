package import Cassettes
package import Foundation
import KeyedArchive

/// The rules by which a counterpart is played: arrivals and the time go in, what it does comes out.
///
/// A move is due when its cause has arrived, or, without a known cause, at its time. What arrives is taken for the
/// recorded message or transfer that it is most like; its values take the places of the recorded ones in all that is
/// sent from then on. One more of a kind that has arrived already takes nobody's place, and is answered as that one was.
package struct PlayMachine: Sendable {
    /// A message or transfer of the app.
    package struct Arrival: Sendable {
        package let channel: Channel
        /// The content, with all its values.
        package let content: RedactedValue
        /// The number by which it is answered; nil if no answer is awaited.
        package let ticket: Int?

        package init(_ channel: Channel, _ content: RedactedValue, ticket: Int? = nil) {
            (self.channel, self.content, self.ticket) = (channel, content, ticket)
        }
    }

    package enum Action: Equatable, Sendable {
        case activate
        /// Send a dictionary, or bytes as data; a file has this size.
        case send(Channel, Data, bytes: Int, move: Int, wantsReply: Bool)
        case answer(ticket: Int, Data, move: Int)
        /// Let the acknowledgement of the message that has just arrived be lost.
        case loseAcknowledgement
        case link(isUp: Bool)
        case show(Bool)
        case act(command: String, words: [String])
        /// Ask the phone for its watches, and tell what it says by ``PlayMachine/saw(_:at:)``.
        case look
        /// A line for the log.
        case note(String)
    }

    /// The watches of the phone whose app is replayed, by their numbers.
    package struct Watches: Equatable, Sendable {
        package var known: Set<Int> = []
        package var connected: Set<Int> = []
        package var worn: Int?

        package init() {}
    }

    /// The condition of the counterpart's session.
    package enum Condition: Comparable, Sendable { case inactive, activated, reachable }

    /// The microseconds for which a move waits for its session's condition, or for what has probably caused it. 5 s: a link is
    /// made in milliseconds, and a play must not stop for ever.
    private static let patience: Int64 = 5_000_000
    /// The microseconds for which a move waits for the phone's watches. 30 s: programs may start slowly on a busy machine.
    private static let watchPatience: Int64 = 30_000_000
    /// The microseconds between two looks at the phone's watches. 20 ms: less than a person needs from one action to the next,
    /// and 1,500 looks at most.
    private static let lookPause: Int64 = 20_000
    /// The most recorded messages that an arrival is compared with. 64: the ones beside it are far more likely.
    private static let window = 64

    /// The moves that are due at a time, in order.
    private var due: [(time: Int64, move: Move)] = []
    /// The moves that wait for a deed of the app.
    private var waiting: [Int: [Move]] = [:]
    /// The recorded messages and transfers that have not arrived, in order.
    private var awaited: [AppEvent]
    /// The times at which they left the app in the recording, by their positions; not all did.
    private let departures: [Int: Int64]
    /// The messages that were to arrive before the link went down, and did not: they failed, and hardly come any more.
    private var missed: Set<Int> = []
    /// Those that have arrived, in this order.
    private var taken: [AppEvent] = []
    /// The contents that arrived for the last of them, with all values.
    private var contents: [RedactedValue] = []
    /// The deed of the app that has arrived last, by its position in the cassette; nil if none has.
    package private(set) var latestDeed: Int?
    /// The app's answers that have not arrived, by the move that they answer.
    private var answers: [Int: AppEvent]
    /// The moves that answer the app's messages, by the messages.
    private var replies: [Int: Move] = [:]
    /// The numbers by which messages are answered, in the order of their arrival.
    private var tickets: [Int: [Int]] = [:]
    private var values = PlayedValues()
    private var condition = Condition.inactive
    /// The recorded time of the first connection, until the session is reachable.
    private var expectedReachable: Int64?
    private let kinds: MessageKinds
    private let lost: Set<Int>
    /// True if the first move that is due waits for a condition, and all others with it.
    private var isHeld = false
    /// The phone's watches as they were last seen; nil if the phone has not shown them.
    private var watches: Watches?
    /// The latest time that was told.
    private var latest: Int64 = 0
    /// The time of the next look at them, if the move that is held waits for them.
    private var nextLook: Int64?

    package init(_ play: Play) {
        (awaited, departures) = (play.calls, play.departures)
        answers = play.answers
        (expectedReachable, kinds, lost) = (play.reachable, play.kinds, play.lost)
        for move in play.moves {
            if case .answer(let deed, _, _) = move.kind { replies[deed] = move }
            switch move.moment {
            case .at(let time): schedule(move, at: time)
            case .after(let deed, _): waiting[deed, default: []].append(move)
            case .likelyAfter(let deed, _, let time):
                waiting[deed, default: []].append(move)
                schedule(move, at: time + Self.patience)
            }
        }
    }

    /// The time of the next move in microseconds; nil if none is scheduled.
    package var deadline: Int64? {
        guard let first = due.first else { return nil }
        guard isHeld else { return first.time }
        let end = first.time + (waitsForPhone(first.move) ? Self.watchPatience : Self.patience)
        let passing = due.first { $0.time > latest && $0.move.sequence < first.move.sequence }?.time
        return [nextLook, passing].compactMap(\.self).reduce(end, min)
    }

    /// True if everything that the app did in the cassette has arrived, and everything was done.
    package var isDone: Bool {
        awaited.allSatisfy { departures[$0.sequence] == nil } && answers.isEmpty && due.isEmpty
    }

    /// The microseconds within which moves keep their recorded order. 20 ms: what follows from several deeds of one moment is due
    /// so long after each, and these are not as far apart in each run; on a busy machine, two calls that follow each other are
    /// some milliseconds apart, and none at all in virtual time.
    private static let moment: Int64 = 20_000

    /// Schedules a move: of those of one moment, the first recorded one is done first.
    private mutating func schedule(_ move: Move, at time: Int64) {
        let others = due.indices.filter {
            Self.isOfOneMoment(move, due[$0].move) && abs(due[$0].time - time) <= Self.moment
        }
        let former = others.filter { due[$0].move.sequence < move.sequence }.map { due[$0].time }
        let time = former.reduce(time, max)
        let later = others.filter { due[$0].move.sequence > move.sequence && due[$0].time < time }
        for index in later { due[index].time = time }
        if !later.isEmpty { due.sort { ($0.time, $0.move.sequence) < ($1.time, $1.move.sequence) } }
        let place = due.firstIndex { ($0.time, $0.move.sequence) > (time, move.sequence) } ?? due.endIndex
        due.insert((time, move), at: place)
    }

    private static func isOfOneMoment(_ first: Move, _ second: Move) -> Bool {
        guard let first = first.time, let second = second.time else { return false }
        return abs(first - second) <= moment
    }

    // MARK: - Events

    /// Carries out what is due. What came before a move in the recording does not wait with it.
    package mutating func timePassed(at time: Int64) -> [Action] {
        var actions: [Action] = []
        var held: Move?
        var place = 0
        latest = time
        while place < due.endIndex, due[place].time <= time {
            let (since, move) = due[place]
            if held.map({ $0.sequence < move.sequence }) ?? false || mustWait(move, since: since, at: time) {
                (held, isHeld) = (held ?? move, true)
                place += 1
                continue
            }
            due.remove(at: place)
            actions.append(action(move))
            // The next move has to look for itself; one that is held may have waited for this.
            if held == nil { (watches, nextLook) = (nil, nil) } else { catchUp(at: time) }
            (held, place) = (nil, 0)
        }
        isHeld = held != nil
        if let held, let look = look(for: held, at: time) { actions.append(look) }
        return actions
    }

    /// Takes the condition of the counterpart's session. What waited for it is done now, and what follows as much later.
    package mutating func changed(_ condition: Condition, at time: Int64) -> [Action] {
        self.condition = condition
        if condition == .reachable { connected(at: time) }
        catchUp(at: time)
        return timePassed(at: time)
    }

    /// Puts off all moves if the first connection is late: what the app does by itself follows from it, as much later.
    private mutating func connected(at time: Int64) {
        guard let expected = expectedReachable else { return }
        expectedReachable = nil
        let delay = time - expected
        guard (1...Self.patience).contains(delay) else { return }
        for index in due.indices { due[index].time += delay }
    }

    /// Takes the phone's watches; nil if it does not show them.
    package mutating func saw(_ watches: Watches?, at time: Int64) -> [Action] {
        self.watches = watches
        nextLook = time + Self.lookPause
        catchUp(at: time)
        return timePassed(at: time)
    }

    /// Puts off all moves by the time for which the first one has waited, if it need not wait any longer.
    private mutating func catchUp(at time: Int64) {
        guard isHeld, let first = due.first, isPossible(first.move), time > first.time else { return }
        let delay = time - first.time
        for index in due.indices { due[index].time += delay }
    }

    // MARK: - Needs

    private func isPossible(_ move: Move) -> Bool {
        condition >= Self.need(move) && move.needs.allSatisfy { isMet($0, for: move) }
    }

    private func mustWait(_ move: Move, since: Int64, at time: Int64) -> Bool {
        guard !isPossible(move), time < since + Self.watchPatience else { return false }
        return time < since + Self.patience || waitsForPhone(move)
    }

    private func waitsForPhone(_ move: Move) -> Bool { move.needs.contains { $0.isOfPhone && !isMet($0, for: move) } }

    private func isMet(_ need: Move.Need, for move: Move) -> Bool {
        switch need {
        case .control: watches != nil
        case .known(let watch): watches?.known.contains(watch) == true
        case .connected(let watch): watches?.connected.contains(watch) == true
        case .worn(let watch): watches?.worn == watch
        case .served: condition == .reachable
        case .order:
            !due.contains { $0.move.sequence < move.sequence }
                && !waiting.values.contains { $0.contains { $0.sequence < move.sequence && $0.hasCause } }
        case .deed(let deed):
            !awaited.contains { $0.sequence == deed } && !answers.values.contains { $0.sequence == deed }
        }
    }

    /// Returns a look at the phone's watches if a move waits for them, and it is time.
    private mutating func look(for move: Move, at time: Int64) -> Action? {
        guard waitsForPhone(move) else {
            nextLook = nil
            return nil
        }
        guard nextLook.map({ $0 <= time }) ?? true else { return nil }
        nextLook = time + Self.lookPause
        return .look
    }

    /// Returns the condition that a session must have for a move to succeed.
    private static func need(_ move: Move) -> Condition {
        switch move.kind {
        case .send(let channel, _, _, _): channel == .message || channel == .data ? .reachable : .activated
        // Only then can its device be controlled.
        case .show, .link: .activated
        case .activate, .answer, .act, .fault: .inactive
        }
    }

    /// Takes a message or transfer of the app.
    package mutating func arrived(_ arrival: Arrival, at time: Int64) -> [Action] {
        let place = nearest(to: arrival, in: awaited, order(of: arrival.channel, at: time))
        let copied = place.flatMap { original(of: arrival, otherThan: awaited[$0.index]) }
        // Only a copy, and what is of another kind than all that is awaited, can be one more of what has arrived.
        let alike =
            copied ?? (place?.kindCost == 0 ? nil : nearest(to: arrival, in: taken, taken.indices.reversed()))
        guard let place, copied == nil, !place.isOther, place.kindCost <= alike?.kindCost ?? .max else {
            return [surplus(arrival, alike, at: time)] + timePassed(at: time)
        }
        let call = awaited.remove(at: place.index)
        taken.append(call)
        contents.append(arrival.content)
        if contents.count > Self.window { contents.removeFirst() }
        latestDeed = call.sequence
        if arrival.channel == .context { overtake(before: call, at: time) }
        if let content = call.content { values.learn(content, arrival.content) }
        if let ticket = arrival.ticket { tickets[call.sequence, default: []].append(ticket) }
        catchUp(at: time)
        release(call.sequence, at: time)
        return (lost.contains(call.sequence) ? [.loseAcknowledgement] : []) + timePassed(at: time)
    }

    /// Returns the order in which the awaited ones are compared with an arrival: of equals the first is taken.
    private func order(of channel: Channel, at time: Int64) -> [Int] {
        func rank(_ call: AppEvent) -> Int {
            guard !missed.contains(call.sequence) else { return 4 }
            guard let departure = departures[call.sequence] else {
                if channel == .context { return call.time <= time ? 1 : 4 }
                // The link went down as it was sent, and may do so a moment later now.
                return abs(call.time - time) <= Self.patience ? 0 : 4
            }
            // A context that has not come some seconds after its time was overtaken by another.
            guard channel == .context, abs(departure - time) > Self.patience else { return 0 }
            return departure < time ? 2 : 3
        }
        let ranks = Dictionary(grouping: awaited.indices.filter { Self.arrives(awaited[$0], as: channel) }) {
            rank(awaited[$0])
        }
        return ranks.keys.sorted().flatMap { ranks[$0] ?? [] }
    }

    /// Takes the contexts before one that has arrived as overtaken by it: they come no more. Those that were overtaken in the
    /// recording, too, can still come.
    private mutating func overtake(before call: AppEvent, at time: Int64) {
        for former in awaited
        where former.sequence < call.sequence && Self.arrives(former, as: .context)
            && departures[former.sequence] != nil
        {
            awaited.removeAll { $0.sequence == former.sequence }
            release(former.sequence, at: time)
        }
    }

    /// Takes a message or transfer that is not in the cassette. A message of the same kind as one that has arrived is answered
    /// as that one was: without an answer, the app would do what it does after an error.
    private mutating func surplus(_ arrival: Arrival, _ alike: Likeness?, at time: Int64) -> Action {
        let unknown = "\(arrival.channel.rawValue) is not in the cassette"
        guard let ticket = arrival.ticket, let alike, alike.kindCost == 0 else { return .note(unknown) }
        let deed = taken[alike.index].sequence
        guard let move = replies[deed], case .after(_, let delay) = move.moment else { return .note(unknown) }
        tickets[deed, default: []].append(ticket)
        schedule(move, at: time + delay)
        return .note(unknown + "; it is answered like event \(deed)")
    }

    /// Schedules what waits for a deed.
    private mutating func release(_ deed: Int, at time: Int64) {
        for move in waiting.removeValue(forKey: deed) ?? [] {
            switch move.moment {
            case .at: break
            case .after(_, let delay): schedule(move, at: time + delay)
            case .likelyAfter(_, let delay, _):
                // It may have been done already, without the deed.
                guard let place = due.firstIndex(where: { $0.move == move }) else { continue }
                due.remove(at: place)
                schedule(move, at: time + delay)
            }
        }
    }

    /// Takes the app's answer to a message that was sent for a move.
    package mutating func replied(_ content: RedactedValue, move: Int, at time: Int64) -> [Action] {
        guard let answer = answers.removeValue(forKey: move) else { return [] }
        latestDeed = answer.sequence
        if let recorded = answer.content { values.learn(recorded, content) }
        catchUp(at: time)
        release(answer.sequence, at: time)
        return timePassed(at: time)
    }

    // MARK: - Likeness

    /// Returns what has arrived of which an arrival is a copy, where the recording has another message; nil if it is no copy.
    /// A message with the identifier that was drawn for another one is that one, sent again.
    private func original(of arrival: Arrival, otherThan call: AppEvent) -> Likeness? {
        guard !arrival.content.identifiers.isEmpty, let place = contents.lastIndex(of: arrival.content) else {
            return nil
        }
        let index = taken.count - contents.count + place
        guard Self.arrives(taken[index], as: arrival.channel), taken[index].content != call.content else { return nil }
        return Likeness(index: index, cost: 0, kindCost: 0, isOther: false)
    }

    /// The recorded message or transfer that is most like one that arrives.
    private struct Likeness {
        let index: Int
        let cost: Int
        /// The part of the cost for differences that make it a message of another kind.
        let kindCost: Int
        /// True if the kinds that they name are different, and their keys as well: it is no changed form of it.
        let isOther: Bool
    }

    /// - Parameter order: The order in which they are compared: the first of equals is taken.
    private func nearest(to arrival: Arrival, in calls: [AppEvent], _ order: some Sequence<Int>) -> Likeness? {
        var best: Likeness?
        let candidates = order.lazy.filter { Self.arrives(calls[$0], as: arrival.channel) }
        for index in candidates.prefix(Self.window) {
            var bindings = Bindings()
            let changes = ContentComparison.changes(from: calls[index].content, to: arrival.content, &bindings)
            let cost = changes.count { $0.verdict > .equivalent } * 2 + (changes.isEmpty ? 0 : 1)
            if cost < best?.cost ?? .max {
                let recorded = kinds.word(of: calls[index].content, calls[index].kind)
                let arrived = kinds.word(of: arrival.content, calls[index].kind)
                let isOther =
                    recorded != nil && arrived != nil && recorded != arrived && changes.contains { $0.kind == .missing }
                best = Likeness(
                    index: index, cost: cost, kindCost: changes.count { $0.isOfKind }, isOther: isOther)
            }
            if cost == 0 { break }
        }
        return best
    }

    private static func arrives(_ call: AppEvent, as channel: Channel) -> Bool {
        guard case .call(let own) = call.role else { return false }
        return own == channel || own == .complication && channel == .userInfo
    }

    // MARK: - Moves

    private mutating func action(_ move: Move) -> Action {
        if move.mayReconnect { miss(before: move) }
        switch move.kind {
        case .activate: return .activate
        case .link(let isUp): return .link(isUp: isUp)
        case .show(let isShown): return .show(isShown)
        case .act(let command, let words): return .act(command: command, words: words)
        case .fault(let words): return .act(command: "faults", words: words + ["times=1"])
        case .send(let channel, let content, let bytes, let wantsReply):
            return made(channel == .data, content) { data in
                .send(channel, data, bytes: bytes ?? 0, move: move.sequence, wantsReply: wantsReply)
            }
        case .answer(let deed, let channel, let content):
            guard let ticket = tickets[deed]?.first else {
                return .note("the answer to event \(deed) is not awaited")
            }
            tickets[deed]?.removeFirst()
            return made(channel == .data, content) { .answer(ticket: ticket, $0, move: move.sequence) }
        }
    }

    /// Takes the messages that were sent before the counterpart was reachable again as failed: they do not wait, as transfers do.
    private mutating func miss(before move: Move) {
        for call in awaited where call.sequence < move.sequence {
            guard case .call(let channel) = call.role, channel.lane == .message else { continue }
            missed.insert(call.sequence)
        }
    }

    private mutating func made(_ isData: Bool, _ content: RedactedValue?, _ action: (Data) -> Action) -> Action {
        do throws(ArchiveError) {
            return action(isData ? try values.bytes(content) : try values.dictionary(content))
        } catch {
            return .note("a content cannot be made: \(error)")
        }
    }
}

extension Move.Need {
    /// True if the phone's watches tell whether it is met.
    fileprivate var isOfPhone: Bool {
        switch self {
        case .control, .known, .connected, .worn: true
        case .served, .order, .deed: false
        }
    }
}

extension Move {
    /// True if the counterpart may be reachable from then on, and was not until then.
    fileprivate var mayReconnect: Bool {
        switch kind {
        case .link(let isUp): isUp
        case .show(let isShown): isShown
        // The app's own link may have been down.
        case .act(let command, _): ["device", "link"].contains(command)
        case .activate, .send, .answer, .fault: false
        }
    }

    /// True if it is done after its cause, and not at all without it.
    fileprivate var hasCause: Bool { if case .after = moment { true } else { false } }
}
