/// An error for tests.
struct Problem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String = "problem") { self.description = description }
}
