package import Foundation

/// Simulates an owner of two watches who changes from one to the other and back, at random times.
package struct WatchSwitchMachine: Sendable {
    private enum State {
        /// No switch is scheduled. Next: leaving, away.
        case settled
        /// The current watch will be taken off at this time. Next: settled, leaving, away.
        case leaving(at: MonotonicTime)
        /// Another watch is worn instead of the previous one, if any. Next: settled, leaving.
        case away(from: UUID?, until: MonotonicTime)
    }

    /// The second watch of a phone that knows only one; it never connects.
    package static let other = UUID(uuid: (0x0D, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x02))

    /// One time in two no switch occurs within the next hour; otherwise it occurs at a random time in that hour.
    private static let rarity: UInt32 = 2
    private static let period: Duration = .seconds(3_600)
    /// Up to two minutes: an app that waits for its watch has noticed by then.
    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(120)

    private var chance: Chance
    private var state = State.settled

    package init(_ chance: Chance) { self.chance = chance }

    /// The time of the next step; nil for never.
    package var nextDeadline: MonotonicTime? {
        switch state {
        case .settled: nil
        case .leaving(let time), .away(_, let time): time
        }
    }

    /// Schedules the first switch when the phone starts.
    ///
    /// - Parameter active: The watch that the phone uses. If that is ``other``, the phone was killed while it was worn.
    package mutating func start(active: UUID?, at time: MonotonicTime) {
        switch state {
        case .settled: state = active == Self.other ? away(from: nil, at: time) : asked(at: time)
        case .leaving: preconditionFailure("started while a watch is about to be left")
        case .away: preconditionFailure("started while a watch is away")
        }
    }

    /// Takes the next step if it is due.
    ///
    /// - Parameter paired: The watches that the phone knows and can use.
    /// - Returns: The watch to switch to; nil for none.
    package mutating func deadlinePassed(at time: MonotonicTime, active: UUID?, paired: [UUID]) -> UUID? {
        let others = paired.filter { $0 != active }.sorted { $0.uuidString < $1.uuidString }
        let (next, watch) = passed(at: time, active, others)
        state = next
        return watch
    }

    private mutating func passed(at time: MonotonicTime, _ active: UUID?, _ others: [UUID]) -> (State, UUID?) {
        switch state {
        case .settled: preconditionFailure("a deadline passed without a scheduled switch")
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
