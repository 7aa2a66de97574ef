/// Decides as a course says: first what is given, then from the seed, or dull.
struct DecisionSource {
    private let answers: [UInt32]
    private let remainder: Course.Remainder
    private var state: UInt64
    private(set) var decisions: [Decision] = []

    init(_ course: Course) {
        (answers, remainder, state) = (course.answers, course.remainder, course.seed)
    }

    /// - Parameter oneIn: 0 is drawn except one time in so many; 1: each number is as likely.
    /// - Returns: A number below `options`; 0 if there is nothing to choose.
    mutating func choose(_ kind: DecisionKind, among options: Int, oneIn: Int = 1) -> Int {
        guard let options = UInt32(exactly: options), options >= Decision.fewestOptions else { return 0 }
        // Drawn also where it is not used, so that what follows the given decisions does not depend on how many these were.
        let drawn = Self.next(&state)
        var taken: UInt32 = 0
        if decisions.count < answers.count {
            taken = min(answers[decisions.count], options - 1)
        } else if remainder == .drawn {
            taken = Self.number(drawn, below: options, oneIn: oneIn)
        }
        decisions.append(Decision(unchecked: kind, options, taken))
        return Int(taken)
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
