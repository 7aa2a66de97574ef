/// The rule by which the values of two publishers form pairs.
protocol Pairing<First, Second> {
    associatedtype First
    associatedtype Second

    init()
    /// Takes a value of the first publisher, and returns the value that it replaces.
    mutating func add(first: First) -> First?
    /// Takes a value of the second publisher, and returns the value that it replaces.
    mutating func add(second: Second) -> Second?
    /// Removes and returns a pair, if there is one.
    mutating func pair() -> (First, Second)?
    /// Returns true if no further pair can come.
    func isOver(firstFinished: Bool, secondFinished: Bool) -> Bool
}
