/// Decides as a course says: first what is given, then from the seed, or dull.
struct DecisionSource {
    private let answers: [Place: UInt32]
    private let given: Int
    private let remainder: Course.Remainder
    private var state: UInt64
    private(set) var decisions: [Decision] = []
    private(set) var departures: [Departure] = []
    /// How often each site has asked.
    private var counts: [UInt64: UInt32] = [:]

    init(_ course: Course) {
        (given, remainder, state) = (course.given, course.remainder, course.seed)
        answers = Dictionary(course.departures.map { ($0.decision.place, $0.decision.taken) }) { first, _ in first }
    }

    /// - Parameters:
    ///   - oneIn: 0 is drawn except one time in so many; 1: each number is as likely.
    ///   - subject: What is asked about. It has a place of its own, by which a decision is known that is given.
    ///   - time: The virtual time.
    /// - Returns: A number below `options`; 0 if there is nothing to choose.
    mutating func choose(
        _ kind: DecisionKind, among options: Int, oneIn: Int = 1, about subject: String, at time: Int64
    ) -> Int {
        guard let options = UInt32(exactly: options), options >= Decision.fewestOptions else { return 0 }
        // Drawn also where it is not used, so that what follows the given decisions does not depend on how many these were.
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

    /// Says what the last decision came to, if it was not dull: more than what it was asked about.
    mutating func tell(_ text: String) {
        guard let last = departures.last, last.index == decisions.count - 1 else { return }
        let time = last.circumstance?.time ?? 0
        departures[departures.count - 1] = Departure(
            at: last.index, last.decision, Circumstance(time: time, subject: text))
    }

    /// A tenth of a second. What is done at a full second, and a little later each time, lies in its middle.
    private static let period: Int64 = 100_000_000

    /// Where a question is asked. The turns of programs are counted anew in each period, so that one turn more does not move those of the rest of
    /// the hour; other subjects are counted from the beginning.
    static func site(of kind: DecisionKind, about subject: String, at time: Int64) -> UInt64 {
        var state = UInt64(kind.rawValue)
        for byte in subject.utf8 { state = next(&state) ^ UInt64(byte) }
        guard kind == .thread else { return next(&state) }
        state = next(&state) ^ UInt64(bitPattern: (time + period / 2) / period)
        return next(&state)
    }

    private static func number(_ drawn: UInt64, below options: UInt32, oneIn: Int) -> UInt32 {
        // One half of the bits says if it is 0, and the other which number it is else.
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
