/// The rules of ``Lead``: which of a loop's two threads leads, and when the stand-in checks on the leader.
struct LeadRules {
    enum Place {
        case taken
        /// The leader is away: the first thread to claim the lead gets it.
        case free
        /// The loop has ended.
        case gone
    }

    enum Verdict: Equatable {
        case leads
        /// The stand-in keeps waiting: for the bell, or for one tick if the leader may leave without setting it.
        case waits(ticking: Bool)
        case ends
    }

    /// The ticks without an absence after which the stand-in sleeps until the bell rings. 2: the pauses of load are
    /// shorter, and after each single message the stand-in wakes up in vain as often.
    static let idleTicks = 2

    private var place = Place.taken
    private var absences: UInt64 = 0
    /// True if the stand-in checks on the leader at every tick.
    private var isTicking = false
    private var absencesSeen: UInt64 = 0
    private var ticksWithoutAbsence = 0

    // MARK: - The leader

    /// Records that the leader goes away, for what is expected to be a short task.
    ///
    /// - Returns: True if the bell must be set, which wakes the stand-in at the first event. False while the stand-in
    ///   is ticking: it would usually be woken for an event that the returning leader is about to handle.
    mutating func leave() -> Bool {
        place = .free
        absences &+= 1
        return !isTicking
    }

    /// Records the leader's return. Returns true if it still leads.
    mutating func comeBack() -> Bool {
        guard place == .free else { return false }
        place = .taken
        return true
    }

    mutating func end() { place = .gone }

    // MARK: - The stand-in

    /// Records that a thread which has just led starts to wait.
    mutating func beginToWait() -> Verdict {
        ticksWithoutAbsence = 0
        absencesSeen = absences
        return waitOn(ticking: true)
    }

    /// Handles an event that occurred while the leader was away.
    mutating func bellRang() -> Verdict {
        switch place {
        case .gone: return .ends
        case .free: return lead()
        case .taken:
            ticksWithoutAbsence = 0
            return waitOn(ticking: true)
        }
    }

    /// Handles the end of a tick. A leader that has been away since the last tick may stay away for long.
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
