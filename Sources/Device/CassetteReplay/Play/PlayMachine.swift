package import Cassettes
package import Foundation
import KeyedArchive

/// The rules by which a counterpart is played: arrivals and the time go in, what it does comes out.
///
/// A move is due when its cause has arrived, or, without a known cause, at its time. What arrives is taken for the
/// recorded message or transfer that it is most like; its values take the places of the recorded ones in all that is
/// sent from then on.
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
        case answer(ticket: Int, Data)
        case link(isUp: Bool)
        case show(Bool)
        case act(command: String, words: [String])
        /// A line for the log.
        case note(String)
    }

    /// The condition of the counterpart's session.
    package enum Condition: Comparable, Sendable { case inactive, activated, reachable }

    /// The microseconds for which a move waits for its session's condition, or for what has probably caused it. 5 s: a link is
    /// made in milliseconds, and a play must not stop for ever.
    private static let patience: Int64 = 5_000_000
    /// The most recorded messages that an arrival is compared with. 64: the ones beside it are far more likely.
    private static let window = 64

    /// The moves that are due at a time, in order.
    private var due: [(time: Int64, move: Move)] = []
    /// The moves that wait for a deed of the app.
    private var waiting: [Int: [Move]] = [:]
    /// The recorded messages and transfers that have not arrived, in order.
    private var awaited: [AppEvent]
    /// The app's answers that have not arrived, by the move that they answer.
    private var answers: [Int: AppEvent]
    private var tickets: [Int: Int] = [:]
    private var values = PlayedValues()
    private var condition = Condition.inactive
    /// True if the first move that is due waits for the session's condition, and all others with it.
    private var isHeld = false

    package init(_ play: Play) {
        awaited = play.calls
        answers = play.answers
        for move in play.moves {
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
    package var deadline: Int64? { due.first.map { isHeld ? $0.time + Self.patience : $0.time } }

    /// True if everything that the app did in the cassette has arrived, and everything was done.
    package var isDone: Bool { awaited.isEmpty && answers.isEmpty && due.isEmpty }

    private mutating func schedule(_ move: Move, at time: Int64) {
        let place = due.firstIndex { ($0.time, $0.move.sequence) > (time, move.sequence) } ?? due.endIndex
        due.insert((time, move), at: place)
    }

    // MARK: - Events

    /// Carries out what is due.
    package mutating func timePassed(at time: Int64) -> [Action] {
        var actions: [Action] = []
        isHeld = false
        while let first = due.first, first.time <= time {
            if condition < Self.need(first.move), time < first.time + Self.patience {
                isHeld = true
                return actions
            }
            due.removeFirst()
            actions.append(action(first.move))
        }
        return actions
    }

    /// Takes the condition of the counterpart's session. What waited for it is done now, and what follows as much later.
    package mutating func changed(_ condition: Condition, at time: Int64) -> [Action] {
        self.condition = condition
        if isHeld, let first = due.first, condition >= Self.need(first.move), time > first.time {
            let delay = time - first.time
            for index in due.indices { due[index].time += delay }
        }
        return timePassed(at: time)
    }

    /// Returns the condition that a session must have for a move to succeed.
    private static func need(_ move: Move) -> Condition {
        guard case .send(let channel, _, _, _) = move.kind else { return .inactive }
        return channel == .message || channel == .data ? .reachable : .activated
    }

    /// Takes a message or transfer of the app.
    package mutating func arrived(_ arrival: Arrival, at time: Int64) -> [Action] {
        guard let place = match(arrival) else {
            return [.note("\(arrival.channel.rawValue) is not in the cassette")] + timePassed(at: time)
        }
        let call = awaited.remove(at: place)
        if let content = call.content { values.learn(content, arrival.content) }
        tickets[call.sequence] = arrival.ticket
        release(call.sequence, at: time)
        return timePassed(at: time)
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
        if let recorded = answer.content { values.learn(recorded, content) }
        release(answer.sequence, at: time)
        return timePassed(at: time)
    }

    /// Returns the index of the recorded message that an arrival stands for.
    private func match(_ arrival: Arrival) -> Int? {
        var best: (place: Int, cost: Int)?
        let candidates = awaited.indices.lazy.filter { Self.arrives(awaited[$0], as: arrival.channel) }
        for place in candidates.prefix(Self.window) {
            var bindings = Bindings()
            let changes = ContentComparison.changes(from: awaited[place].content, to: arrival.content, &bindings)
            let cost = changes.count { $0.verdict > .equivalent } * 2 + (changes.isEmpty ? 0 : 1)
            if cost < best?.cost ?? .max { best = (place, cost) }
            if cost == 0 { break }
        }
        return best?.place
    }

    private static func arrives(_ call: AppEvent, as channel: Channel) -> Bool {
        guard case .call(let own) = call.role else { return false }
        return own == channel || own == .complication && channel == .userInfo
    }

    // MARK: - Moves

    private mutating func action(_ move: Move) -> Action {
        switch move.kind {
        case .activate: return .activate
        case .link(let isUp): return .link(isUp: isUp)
        case .show(let isShown): return .show(isShown)
        case .act(let command, let words): return .act(command: command, words: words)
        case .send(let channel, let content, let bytes, let wantsReply):
            return made(channel == .data, content) { data in
                .send(channel, data, bytes: bytes ?? 0, move: move.sequence, wantsReply: wantsReply)
            }
        case .answer(let deed, let channel, let content):
            guard let ticket = tickets.removeValue(forKey: deed) else {
                return .note("the answer to event \(deed) is not awaited")
            }
            return made(channel == .data, content) { .answer(ticket: ticket, $0) }
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
