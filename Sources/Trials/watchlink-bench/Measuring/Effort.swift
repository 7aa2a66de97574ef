/// How long everything is measured.
struct Effort {
    /// Of one sample.
    let seconds: Double
    /// Samples of each contender, in turns; the median counts.
    let rounds: Int
    /// How large what is large is, as a share of the full size.
    let scale: Double

    static let full = Effort(seconds: 1, rounds: 5, scale: 1)
    /// To see that it works: nothing that it says of speed is to be believed.
    static let quick = Effort(seconds: 0.2, rounds: 1, scale: 0.002)
}
