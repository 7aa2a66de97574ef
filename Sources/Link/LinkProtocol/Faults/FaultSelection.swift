import Words

/// The selection of the matches to which a fault applies.
public struct FaultSelection: Equatable, Sendable {
    /// The ordinal of the only match to which the fault applies, from 1; nil for all.
    public var nth: Int?
    /// The probability that the fault applies to a match, in 0...1.
    public var probability = 1.0
    /// The most times that the fault applies; nil for unlimited.
    public var limit: Int?

    /// Creates a selection; by default it contains every match.
    public init(nth: Int? = nil, probability: Double = 1, limit: Int? = nil) {
        self.nth = nth
        self.probability = probability
        self.limit = limit
    }

    // MARK: - Words

    static let keys = ["nth", "times", "probability"]

    init(_ options: OptionWords) throws(WordError) {
        nth = try options.count("nth", within: 1...Int.max)
        limit = try options.count("times", within: 1...Int.max)
        probability = try options.number("probability", within: 0...1) ?? 1
    }

    var words: [String] {
        [
            nth.map { "nth=\($0)" }, limit.map { "times=\($0)" },
            probability == 1 ? nil : "probability=\(probability)",
        ].compactMap { $0 }
    }
}
