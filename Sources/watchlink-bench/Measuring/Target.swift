/// What a row must reach, as a ratio within one run.
enum Target {
    case timesFaster(Double)
    /// At most so many times as long as the reference.
    case timesSlower(Double)

    var text: String {
        switch self {
        case .timesFaster(let wanted): "≥ \(Int(wanted))×"
        case .timesSlower(let allowed): "≤ \(Int(allowed))× as long"
        }
    }
}
