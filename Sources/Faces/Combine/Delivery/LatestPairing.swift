/// The pairs of the latest values: one for each value, once there are both.
struct LatestPairing<First, Second>: Pairing {
    private var first: First?
    private var second: Second?
    private var isNew = false

    init() {}

    mutating func add(first: First) { (self.first, isNew) = (first, true) }
    mutating func add(second: Second) { (self.second, isNew) = (second, true) }

    mutating func pair() -> (First, Second)? {
        guard isNew, let first, let second else { return nil }
        isNew = false
        return (first, second)
    }

    func isOver(firstFinished: Bool, secondFinished: Bool) -> Bool { firstFinished && secondFinished }
}
