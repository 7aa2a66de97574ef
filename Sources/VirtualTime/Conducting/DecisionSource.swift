/// Decides as a course says: first what is given, then from the seed, or dull.
struct DecisionSource {
    private let answers: [UInt32]
    private let remainder: Course.Remainder
    private var state: UInt64
    private(set) var decisions: [Decision] = []

    init(_ course: Course) {
        (answers, remainder, state) = (course.answers, course.remainder, course.seed)
    }

    /// - Returns: A number below `options`; 0 if there is nothing to choose.
    mutating func choose(_ kind: DecisionKind, among options: Int) -> Int {
        guard let options = UInt32(exactly: options), options >= Decision.fewestOptions else { return 0 }
        // Drawn also where it is not used, so that what follows the given decisions does not depend on how many these were.
        let drawn = Self.next(&state)
        var taken: UInt32 = 0
        if decisions.count < answers.count {
            taken = min(answers[decisions.count], options - 1)
        } else if remainder == .drawn {
            taken = UInt32(truncatingIfNeeded: ((drawn >> 32) * UInt64(options)) >> 32)
        }
        decisions.append(Decision(unchecked: kind, options, taken))
        return Int(taken)
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
