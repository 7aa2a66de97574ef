/// When hazards befall the programs of a performance. It is told what becomes of the programs, decides, and says what is to be done when.
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

    /// 4,096 instants of what is left of a role's time: of an hour, one a second.
    static let instants = 4_096
    /// What may happen does so one time in two.
    static let chance = 2

    private var roles: [Role]

    init(_ hazards: [Hazard], end: Duration) {
        roles = hazards.map { Role($0, until: ($0.until ?? end).nanoseconds) }
    }

    /// When there is something to do; `Int64.max` for never.
    var nextInstant: Int64 { roles.map(\.instant).min() ?? .max }

    /// The next thing to do, if its time has come.
    mutating func next(at now: Int64, _ source: inout DecisionSource) -> Deed? {
        guard let index = roles.firstIndex(where: { $0.instant <= now }) else { return nil }
        return roles[index].next(at: now, &source)
    }

    /// A program has started.
    mutating func started(_ program: Program, at now: Int64, _ source: inout DecisionSource) {
        guard let index = index(of: program.name) else { return }
        roles[index].kills.started(program, at: now, &source)
        roles[index].disk.started(at: now, &source)
        roles[index].clock.started(at: now, &source)
    }

    /// A program has ended.
    mutating func ended(_ name: String, isKilled: Bool, at now: Int64, _ source: inout DecisionSource) {
        guard let index = index(of: name) else { return }
        roles[index].kills.ended(isKilled: isKilled, at: now, &source)
    }

    /// Somebody else says what is done to a program: then nothing is done to it here until it starts again.
    mutating func spare(_ name: String) {
        guard let index = index(of: name) else { return }
        roles[index].kills.spare()
    }

    /// Does something happen between two instants, and when? 0 is never, and the greater the number, the later.
    ///
    /// - Parameter subject: What it is, for those who read of the decision.
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
