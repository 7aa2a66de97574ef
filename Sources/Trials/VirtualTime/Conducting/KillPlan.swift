/// The random kills of a program, and its absences.
struct KillPlan {
    private enum State {
        /// The program is not going to be killed.
        case safe
        case endangered(at: Int64)
        /// The kill is pending, and is cancelled if the program is still alive at this time.
        case dying(until: Int64)
        case away(until: Int64)
    }

    /// 64: see ``step(_:)``.
    static let steps = 64
    /// Each step up to this one can be chosen. An app takes a few hundred steps to handle a message; a small tool takes
    /// no more than this in all.
    private static let singleSteps: UInt64 = 32

    private let hazard: Hazard
    private let until: Int64
    private var program: Program?
    private var kills = 0
    private var state = State.safe

    init(_ hazard: Hazard, until: Int64) { (self.hazard, self.until) = (hazard, until) }

    /// The time of the next deed; `Int64.max` for never.
    var instant: Int64 {
        switch state {
        case .safe: .max
        case .endangered(let time), .dying(let time), .away(let time): time
        }
    }

    /// The last time for a kill: it must leave time for the longest absence.
    private var lastInstant: Int64 { until - hazard.pause.upperBound.nanoseconds }

    /// Returns the deed that is due. A program is killed immediately (0) or at a later step.
    mutating func next(at now: Int64, _ source: inout DecisionSource) -> Deed? {
        switch state {
        case .safe: return nil
        case .endangered:
            state = .dying(until: lastInstant)
            let step = source.choose(.fault, among: Self.steps, about: Self.step(of: hazard.name), at: now)
            return step == 0 ? .kill(hazard.name) : .crash(hazard.name, step: Self.step(step))
        case .dying:
            state = .safe
            return .crash(hazard.name, step: .max)
        case .away:
            state = .safe
            return program.map { .start($0) }
        }
    }

    /// Returns the step for a number: every step at first, then increasingly sparse, up to about a thousand.
    static func step(_ number: Int) -> UInt64 {
        var (step, left) = (UInt64(number), UInt64(0))
        if step > singleSteps { (step, left) = (singleSteps, step - singleSteps) }
        for _ in 0..<left { step += step / 8 }
        return step
    }

    /// Notes that the program has started, and decides whether and when it is killed in this life.
    mutating func started(_ program: Program, at now: Int64, _ source: inout DecisionSource) {
        self.program = program
        state = .safe
        guard kills < hazard.kills,
            let time = HazardPlan.instant(of: Self.kill(of: hazard.name), between: now, and: lastInstant, &source)
        else { return }
        state = .endangered(at: time)
    }

    /// Notes that the program has ended. If this plan killed it, this decides how long it is away.
    mutating func ended(isKilled: Bool, at now: Int64, _ source: inout DecisionSource) {
        guard case .dying = state, isKilled else {
            state = .safe
            return
        }
        kills += 1
        let (shortest, longest) = (hazard.pause.lowerBound.nanoseconds, hazard.pause.upperBound.nanoseconds)
        let milliseconds = Int((longest - shortest) / Self.nanosecondsOfMillisecond)
        let more = source.choose(.latency, among: milliseconds + 1, about: Self.absence(of: hazard.name), at: now)
        state = .away(until: now + shortest + Int64(more) * Self.nanosecondsOfMillisecond)
    }

    /// Exempts the program until it starts again, because the script or the director controls it.
    mutating func spare() { state = .safe }

    // The subjects of the questions.
    static func kill(of name: String) -> String { "kill of \(name)" }
    static func step(of name: String) -> String { "step at which \(name) is killed" }
    static func absence(of name: String) -> String { "absence of \(name)" }

    private static let nanosecondsOfMillisecond: Int64 = 1_000_000
}
