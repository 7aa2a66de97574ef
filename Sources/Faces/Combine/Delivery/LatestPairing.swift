/// The pairs of the latest values: one for each value, once there are both.
struct LatestPairing<First, Second>: Pairing {
    private var first: First?
    private var second: Second?
    private var isNew = false

    init() {}

    mutating func add(first: First) -> First? {
        defer { (self.first, isNew) = (first, true) }
        return self.first
    }

    mutating func add(second: Second) -> Second? {
        defer { (self.second, isNew) = (second, true) }
        return self.second
    }

    mutating func pair() -> (First, Second)? {
        guard isNew, let first, let second else { return nil }
        isNew = false
        return (first, second)
    }

    func isOver(firstFinished: Bool, secondFinished: Bool) -> Bool { firstFinished && secondFinished }
}
