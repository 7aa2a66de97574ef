/// The source of the conductor's decisions: first the given ones, then drawn from the seed, or dull.
struct DecisionSource {
    private let answers: [Place: UInt32]
    private let given: Int
    private let remainder: Course.Remainder
    private var state: UInt64
    private(set) var decisions: [Decision] = []
    private(set) var departures: [Departure] = []
    /// The number of questions asked at each site.
    private var counts: [UInt64: UInt32] = [:]

    init(_ course: Course) {
        (given, remainder, state) = (course.given, course.remainder, course.seed)
        answers = Dictionary(course.departures.map { ($0.decision.place, $0.decision.taken) }) { first, _ in first }
    }

    /// Decides a question.
    ///
    /// - Parameters:
    ///   - oneIn: The average number of questions per answer other than 0; 1 makes all numbers equally likely.
    ///   - subject: The subject of the question. Each subject has its own place, which identifies a given decision.
    ///   - time: The virtual time.
    /// - Returns: A number below `options`; 0 if there is nothing to choose.
    mutating func choose(
        _ kind: DecisionKind, among options: Int, oneIn: Int = 1, about subject: String, at time: Int64
    ) -> Int {
        guard let options = UInt32(exactly: options), options >= Decision.fewestOptions else { return 0 }
        // Drawn even if unused, so that the decisions after the given ones do not depend on how many were given.
        let drawn = Self.next(&state)
        let site = Self.site(of: kind, about: subject, at: time)
        let place = Place(site: site, ordinal: counts[site, default: 0])
        counts[site, default: 0] += 1
        var taken: UInt32 = 0
        if let answer = answers[place] {
            taken = min(answer, options - 1)
        } else if remainder == .drawn, decisions.count >= given {
            taken = Self.number(drawn, below: options, oneIn: oneIn)
        }
        let decision = Decision(unchecked: kind, options, taken, at: place)
        if !decision.isDull {
            departures.append(Departure(at: decisions.count, decision, Circumstance(time: time, subject: subject)))
        }
        decisions.append(decision)
        return Int(taken)
    }

    /// Replaces the subject of the last decision, if it was not dull, by its result.
    mutating func tell(_ text: String) {
        guard let last = departures.last, last.index == decisions.count - 1 else { return }
        let time = last.circumstance?.time ?? 0
        departures[departures.count - 1] = Departure(
            at: last.index, last.decision, Circumstance(time: time, subject: text))
    }

    /// A tenth of a second. Full seconds, and events slightly later, fall in the middle of a period.
    private static let period: Int64 = 100_000_000

    /// Returns the site of a question. The turns of programs are counted per period, so that one more turn does not
    /// shift those of the rest of the hour; other subjects are counted from the beginning.
    static func site(of kind: DecisionKind, about subject: String, at time: Int64) -> UInt64 {
        var state = UInt64(kind.rawValue)
        for byte in subject.utf8 { state = next(&state) ^ UInt64(byte) }
        guard kind == .thread else { return next(&state) }
        state = next(&state) ^ UInt64(bitPattern: (time + period / 2) / period)
        return next(&state)
    }

    private static func number(_ drawn: UInt64, below options: UInt32, oneIn: Int) -> UInt32 {
        // One half of the bits decides whether the number is 0, the other half which number it is otherwise.
        let (upper, lower) = (drawn >> 32, drawn & 0xFFFF_FFFF)
        guard oneIn > 1 else { return UInt32(truncatingIfNeeded: (upper * UInt64(options)) >> 32) }
        guard upper.isMultiple(of: UInt64(oneIn)) else { return 0 }
        return 1 + UInt32(truncatingIfNeeded: (lower * UInt64(options - 1)) >> 32)
    }

    /// The splitmix64 generator.
    static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
