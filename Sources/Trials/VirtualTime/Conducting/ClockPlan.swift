/// The random changes of a device's clock.
struct ClockPlan {
    /// A correction by the network, a minute, an hour by a traveller, a day by a player of a game: each forward or
    /// back. The smallest comes first.
    static let jumps: [Duration] = [1, 60, 3_600, 86_400].flatMap { [.seconds($0), .seconds(-$0)] }

    private let name: String
    private let most: Int
    private let until: Int64
    private var count = 0
    /// The time of the next change; `Int64.max` for never.
    private(set) var instant = Int64.max
    private var isAsked = false

    init(_ hazard: Hazard, until: Int64) { (name, most, self.until) = (hazard.name, hazard.clockJumps, until) }

    /// The clock belongs to the device, so the first question is asked once, not for each life of the program.
    mutating func started(at now: Int64, _ source: inout DecisionSource) {
        guard !isAsked else { return }
        isAsked = true
        ask(at: now, &source)
    }

    /// Returns the change that is due.
    mutating func next(at now: Int64, _ source: inout DecisionSource) -> Deed? {
        count += 1
        let jump = source.choose(.latency, among: Self.jumps.count, about: Self.jump(of: name), at: now)
        ask(at: now, &source)
        return .clock(name, by: Self.jumps[jump])
    }

    // The subjects of the questions.
    static func clock(of name: String) -> String { "clock of \(name)" }
    static func jump(of name: String) -> String { "jump of the clock of \(name)" }

    private mutating func ask(at now: Int64, _ source: inout DecisionSource) {
        let time = count < most ? HazardPlan.instant(of: Self.clock(of: name), between: now, and: until, &source) : nil
        instant = time ?? .max
    }
}
