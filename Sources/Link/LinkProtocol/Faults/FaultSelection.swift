import Words

/// Which ones a fault meets of all that it is about.
public struct FaultSelection: Equatable, Sendable {
    /// Only the one of this number among those that match, counted from 1; nil for all.
    public var nth: Int?
    public var probability = 1.0
    /// At most so often; nil for ever.
    public var limit: Int?

    public init(nth: Int? = nil, probability: Double = 1, limit: Int? = nil) {
        self.nth = nth
        self.probability = probability
        self.limit = limit
    }

    // MARK: - In words

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
