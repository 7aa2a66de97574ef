/// Who of a loop's two threads leads, and when the stand-in has to look after the leader: the rules of ``Lead``.
struct LeadRules {
    enum Place {
        case taken
        /// The leader is away: who comes first leads.
        case free
        /// The loop has ended.
        case gone
    }

    enum Verdict: Equatable {
        case leads
        /// The stand-in waits on: until the bell rings, or for a tick if the leader goes away without a bell.
        case waits(ticking: Bool)
        case ends
    }

    /// Ticks without an absence after which the stand-in sleeps until the bell rings. 10: some milliseconds.
    static let idleTicks = 10

    private var place = Place.taken
    private var absences: UInt64 = 0
    /// Whether the stand-in looks after the leader by the clock.
    private var isTicking = false
    private var absencesSeen: UInt64 = 0
    private var ticksWithoutAbsence = 0

    // MARK: - The leader

    /// The leader goes away, for one short thing as far as is known.
    ///
    /// - Returns: Whether the bell must be set, which wakes the stand-in for whatever happens. Not while that ticks: it would
    ///   mostly be woken for what the leader is about to come back for.
    mutating func leave() -> Bool {
        place = .free
        absences &+= 1
        return !isTicking
    }

    /// Whether it leads on.
    mutating func comeBack() -> Bool {
        guard place == .free else { return false }
        place = .taken
        return true
    }

    mutating func end() { place = .gone }

    // MARK: - The stand-in

    /// A thread that has just led waits.
    mutating func beginToWait() -> Verdict {
        ticksWithoutAbsence = 0
        absencesSeen = absences
        return waitOn(ticking: true)
    }

    /// Something has happened while the leader was away.
    mutating func bellRang() -> Verdict {
        switch place {
        case .gone: return .ends
        case .free: return lead()
        case .taken:
            ticksWithoutAbsence = 0
            return waitOn(ticking: true)
        }
    }

    /// A tick is over. Whoever has been away since the last one may stay away for long.
    mutating func ticked() -> Verdict {
        defer { absencesSeen = absences }
        switch place {
        case .gone: return .ends
        case .free:
            ticksWithoutAbsence = 0
            return absences == absencesSeen ? lead() : waitOn(ticking: true)
        case .taken:
            ticksWithoutAbsence = absences == absencesSeen ? ticksWithoutAbsence + 1 : 0
            return waitOn(ticking: ticksWithoutAbsence < Self.idleTicks)
        }
    }

    private mutating func lead() -> Verdict {
        place = .taken
        isTicking = false
        return .leads
    }

    private mutating func waitOn(ticking: Bool) -> Verdict {
        isTicking = ticking
        return .waits(ticking: ticking)
    }
}
