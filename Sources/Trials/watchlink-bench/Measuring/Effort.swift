/// The extent of all measurements.
struct Effort {
    /// The length of one sample.
    let seconds: Double
    /// The number of alternating samples of each contender; the median counts.
    let rounds: Int
    /// The size of large inputs, as a share of the full size.
    let scale: Double

    static let full = Effort(seconds: 1, rounds: 5, scale: 1)
    /// Only checks that everything works; its figures are meaningless.
    static let quick = Effort(seconds: 0.2, rounds: 1, scale: 0.002)
}
