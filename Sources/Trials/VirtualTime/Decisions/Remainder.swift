extension Course {
    /// The source of the decisions that follow the given ones.
    public enum Remainder: String, Codable, CaseIterable, Sendable {
        /// The decisions are drawn by the seed and the strategy.
        case drawn
        /// Every decision is 0.
        case dull
    }
}
