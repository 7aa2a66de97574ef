/// The schedule of the hazards of a performance. It is notified of starts and ends, decides, and returns the deeds that
/// are due.
struct HazardPlan {
    private struct Role {
        let name: String
        var kills: KillPlan
        var disk: DiskPlan
        var clock: ClockPlan

        init(_ hazard: Hazard, until: Int64) {
            name = hazard.name
            kills = KillPlan(hazard, until: until)
            disk = DiskPlan(hazard, until: until)
            clock = ClockPlan(hazard, until: until)
        }

        var instant: Int64 { min(kills.instant, disk.instant, clock.instant) }

        mutating func next(at now: Int64, _ source: inout DecisionSource) -> Deed? {
            if kills.instant <= now { return kills.next(at: now, &source) }
            if disk.instant <= now { return disk.next(at: now, &source) }
            return clock.next(at: now, &source)
        }
    }

    /// 4,096 instants in the remaining time of a role: about one per second of an hour.
    static let instants = 4_096
    /// Each possible event happens with a probability of one half.
    static let chance = 2

    private var roles: [Role] {
        didSet { nextInstant = Self.nextInstant(of: roles) }
    }
    /// The time of the next deed; `Int64.max` for never.
    private(set) var nextInstant: Int64

    init(_ hazards: [Hazard], end: Duration) {
        roles = hazards.map { Role($0, until: ($0.until ?? end).nanoseconds) }
        nextInstant = Self.nextInstant(of: roles)
    }

    private static func nextInstant(of roles: [Role]) -> Int64 { roles.map(\.instant).min() ?? .max }

    /// Returns the next deed that is due, if there is one.
    mutating func next(at now: Int64, _ source: inout DecisionSource) -> Deed? {
        guard let index = roles.firstIndex(where: { $0.instant <= now }) else { return nil }
        return roles[index].next(at: now, &source)
    }

    /// Notes that a program has started.
    mutating func started(_ program: Program, at now: Int64, _ source: inout DecisionSource) {
        guard let index = index(of: program.name) else { return }
        roles[index].kills.started(program, at: now, &source)
        roles[index].disk.started(at: now, &source)
        roles[index].clock.started(at: now, &source)
    }

    /// Notes that a program has ended.
    mutating func ended(_ name: String, isKilled: Bool, at now: Int64, _ source: inout DecisionSource) {
        guard let index = index(of: name) else { return }
        roles[index].kills.ended(isKilled: isKilled, at: now, &source)
    }

    /// Exempts a program until it starts again, because the script or the director controls it.
    mutating func spare(_ name: String) {
        guard let index = index(of: name) else { return }
        roles[index].kills.spare()
    }

    /// Decides whether an event happens between two instants, and when. 0 is never; greater numbers are later.
    ///
    /// - Parameter subject: The subject of the decision, for reports.
    static func instant(
        of subject: String, between now: Int64, and last: Int64, _ source: inout DecisionSource
    ) -> Int64? {
        let room = last - now
        guard room > 0 else { return nil }
        let taken = source.choose(.fault, among: instants + 1, oneIn: chance, about: subject, at: now)
        return taken == 0 ? nil : now + Int64(Double(room) * Double(taken) / Double(instants))
    }

    private func index(of name: String) -> Int? { roles.firstIndex { $0.name == name } }
}
