package import Foundation

/// When a person who has two watches puts on the other one, and the former one again, as chance decides.
package struct WatchSwitchMachine: Sendable {
    private enum State {
        /// Nothing is going to be done. Can become: leaving, away.
        case settled
        /// The watch that is worn is left then. Can become: settled, leaving, away.
        case leaving(at: MonotonicTime)
        /// From the watch that was worn before, if there was one. Can become: settled, leaving.
        case away(from: UUID?, until: MonotonicTime)
    }

    /// The second watch of a person whose phone knows only one: it is never there.
    package static let other = UUID(uuid: (0x0D, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x02))

    /// One time in two nothing is done within the next hour; else it comes at some time of it.
    private static let rarity: UInt32 = 2
    private static let period: Duration = .seconds(3_600)
    /// Up to two minutes: an app that waits for its watch has noticed by then.
    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(120)

    private var chance: Chance
    private var state = State.settled

    package init(_ chance: Chance) { self.chance = chance }

    /// When there is something to do; nil for never.
    package var nextDeadline: MonotonicTime? {
        switch state {
        case .settled: nil
        case .leaving(let time), .away(_, let time): time
        }
    }

    /// The phone starts.
    ///
    /// - Parameter active: The watch that it talks to. If that is the one that is never there, the phone was killed before it was left again.
    package mutating func start(active: UUID?, at time: MonotonicTime) {
        switch state {
        case .settled: state = active == Self.other ? away(from: nil, at: time) : asked(at: time)
        case .leaving: preconditionFailure("a start while a watch is about to be left")
        case .away: preconditionFailure("a start while a watch is away")
        }
    }

    /// The time has come.
    ///
    /// - Parameter paired: The watches that the phone knows and talks to if it is told to.
    /// - Returns: The watch to switch to; nil for none.
    package mutating func deadlinePassed(at time: MonotonicTime, active: UUID?, paired: [UUID]) -> UUID? {
        let others = paired.filter { $0 != active }.sorted { $0.uuidString < $1.uuidString }
        let (next, watch) = passed(at: time, active, others)
        state = next
        return watch
    }

    private mutating func passed(at time: MonotonicTime, _ active: UUID?, _ others: [UUID]) -> (State, UUID?) {
        switch state {
        case .settled: preconditionFailure("a deadline passed while nothing is going to be done")
        case .leaving:
            guard let active else { return (asked(at: time), nil) }
            let next = away(from: active, at: time)
            guard others.count > 1 else { return (next, others.first ?? Self.other) }
            let part = chance.part("the watch that comes after switch # of watches")
            return (next, others[Int(Double(others.count) * part)])
        case .away(let former, _):
            return (asked(at: time), others.contains { $0 == former } ? former : others.first)
        }
    }

    private mutating func asked(at time: MonotonicTime) -> State {
        let part = chance.part(oneIn: Self.rarity, "the watch is switched, time #")
        return part == 0 ? .settled : .leaving(at: time + Self.period * part)
    }

    private mutating func away(from former: UUID?, at time: MonotonicTime) -> State {
        let part = chance.part("the watch stays away, time #")
        return .away(from: former, until: time + Self.shortest + (Self.longest - Self.shortest) * part)
    }
}
