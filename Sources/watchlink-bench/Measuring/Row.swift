/// One line of a result: ours against a reference that ran in the same race.
struct Row {
    let name: String
    let ours: Figure
    let referenceName: String
    let reference: Figure
    let target: Target?

    /// How many times faster we are; below one we are slower.
    var ratio: Double { reference.nanoseconds / ours.nanoseconds }

    var isMet: Bool? {
        switch target {
        case .timesFaster(let wanted): ratio >= wanted
        case .timesSlower(let allowed): 1 / ratio <= allowed
        case nil: nil
        }
    }
}
