/// When a program is killed by chance, how, and for how long it is away.
struct KillPlan {
    private enum State {
        /// Nothing is going to be done to it.
        case safe
        case endangered(at: Int64)
        /// It is to be killed, and is spared if that has not come until then.
        case dying(until: Int64)
        case away(until: Int64)
    }

    /// 64: see ``step(_:)``.
    static let steps = 64
    /// Up to it each step can be taken. What an app does with a message has some hundred, and a small tool does not have more than this.
    private static let singleSteps: UInt64 = 32

    private let hazard: Hazard
    private let until: Int64
    private var program: Program?
    private var kills = 0
    private var state = State.safe

    init(_ hazard: Hazard, until: Int64) { (self.hazard, self.until) = (hazard, until) }

    /// When there is something to do; `Int64.max` for never.
    var instant: Int64 {
        switch state {
        case .safe: .max
        case .endangered(let time), .dying(let time), .away(let time): time
        }
    }

    /// When it is killed there must be time for the longest absence.
    private var lastInstant: Int64 { until - hazard.pause.upperBound.nanoseconds }

    /// What is to be done, when its time has come. A program is killed at once, or at a later step: 0 is at once.
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

    /// The step of a number: the first ones each, and then ever fewer, up to about a thousand.
    static func step(_ number: Int) -> UInt64 {
        var (step, left) = (UInt64(number), UInt64(0))
        if step > singleSteps { (step, left) = (singleSteps, step - singleSteps) }
        for _ in 0..<left { step += step / 8 }
        return step
    }

    /// The program has started: is it killed in this life, and when?
    mutating func started(_ program: Program, at now: Int64, _ source: inout DecisionSource) {
        self.program = program
        state = .safe
        guard kills < hazard.kills,
            let time = HazardPlan.instant(of: Self.kill(of: hazard.name), between: now, and: lastInstant, &source)
        else { return }
        state = .endangered(at: time)
    }

    /// The program has ended. If that was asked for here: for how long is it away?
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

    /// Somebody else says what is done to the program: then nothing is done to it here until it starts again.
    mutating func spare() { state = .safe }

    // The subjects of its questions.
    static func kill(of name: String) -> String { "kill of \(name)" }
    static func step(of name: String) -> String { "step at which \(name) is killed" }
    static func absence(of name: String) -> String { "absence of \(name)" }

    private static let nanosecondsOfMillisecond: Int64 = 1_000_000
}
