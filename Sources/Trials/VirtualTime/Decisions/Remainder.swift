extension Course {
    /// The source of the decisions that follow the given ones.
    public enum Remainder: String, Codable, CaseIterable, Sendable {
        /// The seed and the strategy.
        case drawn
        /// Nothing: each is 0.
        case dull
    }
}
