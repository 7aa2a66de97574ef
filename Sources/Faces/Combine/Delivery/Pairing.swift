/// The rule by which the values of two publishers form pairs.
protocol Pairing<First, Second> {
    associatedtype First
    associatedtype Second

    init()
    mutating func add(first: First)
    mutating func add(second: Second)
    /// Removes and returns a pair, if there is one.
    mutating func pair() -> (First, Second)?
    /// Returns true if no further pair can come.
    func isOver(firstFinished: Bool, secondFinished: Bool) -> Bool
}
