package import Foundation

/// When a person who has two watches puts on the other one, and the former one again, as chance decides.
package struct WatchSwitchMachine: Sendable {
    private enum State {
        /// Nothing is going to be done.
        case settled
        case leaving(at: MonotonicTime)
        /// From the watch that was worn before, if there was one.
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
        if active == Self.other { stayAway(from: nil, at: time) } else { ask(at: time) }
    }

    /// The time has come.
    ///
    /// - Parameter paired: The watches that the phone knows and talks to if it is told to.
    /// - Returns: The watch to switch to; nil for none.
    package mutating func deadlinePassed(at time: MonotonicTime, active: UUID?, paired: [UUID]) -> UUID? {
        let others = paired.filter { $0 != active }.sorted { $0.uuidString < $1.uuidString }
        switch state {
        case .settled: return nil
        case .leaving:
            guard let active else {
                ask(at: time)
                return nil
            }
            stayAway(from: active, at: time)
            guard others.count > 1 else { return others.first ?? Self.other }
            return others[Int(Double(others.count) * chance.part("the watch that comes after switch # of watches"))]
        case .away(let former, _):
            ask(at: time)
            return others.contains { $0 == former } ? former : others.first
        }
    }

    private mutating func ask(at time: MonotonicTime) {
        let part = chance.part(oneIn: Self.rarity, "the watch is switched, time #")
        state = part == 0 ? .settled : .leaving(at: time + Self.period * part)
    }

    private mutating func stayAway(from former: UUID?, at time: MonotonicTime) {
        state = .away(
            from: former,
            until: time + Self.shortest + (Self.longest - Self.shortest) * chance.part("the watch stays away, time #"))
    }
}
