extension Array {
    /// Removes and returns the first element. Mostly it is the only one, and leaves without moving others.
    mutating func takeFirst() -> Element { count == 1 ? removeLast() : removeFirst() }
}
