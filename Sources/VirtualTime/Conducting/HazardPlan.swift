/// When hazards befall the programs of a performance. It is told what becomes of the programs, decides, and says what is to be done when.
struct HazardPlan {
    private enum State {
        /// Nothing is going to be done to it.
        case safe
        case endangered(at: Int64)
        /// It is to be killed, and is spared if that has not come until then.
        case dying(until: Int64)
        case away(until: Int64)
    }

    private struct Role {
        let hazard: Hazard
        let until: Int64
        var program: Program?
        var kills = 0
        var state = State.safe

        /// When it is killed there must be time for the longest absence.
        var lastInstant: Int64 { until - hazard.pause.upperBound.nanoseconds }

        var instant: Int64 {
            switch state {
            case .safe: .max
            case .endangered(let time), .dying(let time), .away(let time): time
            }
        }
    }

    /// 4,096 instants of what is left of a role's time: of an hour, one a second.
    static let instants = 4_096
    /// A program that may be killed is so one time in two.
    static let chance = 2
    /// 64: see ``step(_:)``.
    static let steps = 64
    /// Up to it each step can be taken. What an app does with a message has some hundred, and a small tool does not have more than this.
    private static let singleSteps: UInt64 = 32

    private var roles: [Role]

    init(_ hazards: [Hazard], end: Duration) {
        roles = hazards.map { Role(hazard: $0, until: ($0.until ?? end).nanoseconds) }
    }

    /// When there is something to do; `Int64.max` for never.
    var nextInstant: Int64 { roles.map(\.instant).min() ?? .max }

    /// The next thing to do, if its time has come. A program is killed at once, or at a later step: 0 is at once.
    mutating func next(at now: Int64, _ source: inout DecisionSource) -> Deed? {
        guard let index = roles.firstIndex(where: { $0.instant <= now }) else { return nil }
        let name = roles[index].hazard.name
        switch roles[index].state {
        case .safe: return nil
        case .endangered:
            roles[index].state = .dying(until: roles[index].lastInstant)
            let step = source.choose(.fault, among: Self.steps, about: Self.step(of: name), at: now)
            return step == 0 ? .kill(name) : .crash(name, step: Self.step(step))
        case .dying:
            roles[index].state = .safe
            return .crash(name, step: .max)
        case .away:
            roles[index].state = .safe
            return roles[index].program.map { .start($0) }
        }
    }

    /// The step of a number: the first ones each, and then ever fewer, up to about a thousand.
    static func step(_ number: Int) -> UInt64 {
        var (step, left) = (UInt64(number), UInt64(0))
        if step > singleSteps { (step, left) = (singleSteps, step - singleSteps) }
        for _ in 0..<left { step += step / 8 }
        return step
    }

    /// A program has started: is it killed in this life, and when? 0 is never, and the greater the number, the later.
    mutating func started(_ program: Program, at now: Int64, _ source: inout DecisionSource) {
        guard let index = index(of: program.name) else { return }
        roles[index].program = program
        roles[index].state = .safe
        let room = roles[index].lastInstant - now
        guard roles[index].kills < roles[index].hazard.kills, room > 0 else { return }
        let taken = source.choose(
            .fault, among: Self.instants + 1, oneIn: Self.chance, about: Self.kill(of: program.name), at: now)
        guard taken > 0 else { return }
        roles[index].state = .endangered(at: now + Int64(Double(room) * Double(taken) / Double(Self.instants)))
    }

    /// A program has ended. If that was asked for here: for how long is it away?
    mutating func ended(_ name: String, isKilled: Bool, at now: Int64, _ source: inout DecisionSource) {
        guard let index = index(of: name) else { return }
        guard case .dying = roles[index].state, isKilled else {
            roles[index].state = .safe
            return
        }
        roles[index].kills += 1
        let pause = roles[index].hazard.pause
        let (shortest, longest) = (pause.lowerBound.nanoseconds, pause.upperBound.nanoseconds)
        let milliseconds = Int((longest - shortest) / Self.nanosecondsOfMillisecond)
        let more = source.choose(.latency, among: milliseconds + 1, about: Self.absence(of: name), at: now)
        roles[index].state = .away(until: now + shortest + Int64(more) * Self.nanosecondsOfMillisecond)
    }

    /// Somebody else says what is done to a program: then nothing is done to it here until it starts again.
    mutating func spare(_ name: String) {
        guard let index = index(of: name) else { return }
        roles[index].state = .safe
    }

    // The subjects of its questions.
    static func kill(of name: String) -> String { "kill of \(name)" }
    static func step(of name: String) -> String { "step at which \(name) is killed" }
    static func absence(of name: String) -> String { "absence of \(name)" }

    private static let nanosecondsOfMillisecond: Int64 = 1_000_000

    private func index(of name: String) -> Int? { roles.firstIndex { $0.hazard.name == name } }
}
