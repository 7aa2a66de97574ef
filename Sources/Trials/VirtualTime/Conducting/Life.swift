/// One run of a program, from a start to the next end. The runs of a role are numbered.
public struct Life: Hashable, Sendable {
    /// The name of the role.
    public let name: String
    /// The number of the run, from 1.
    public let number: Int

    /// Creates a life.
    public init(_ name: String, _ number: Int) { (self.name, self.number) = (name, number) }
}

extension Life: CustomStringConvertible {
    public var description: String { number == 1 ? name : "\(name) (start \(number))" }
}
