/// One run of a program: the first of its role, or the one after that had ended, and so on.
public struct Life: Hashable, Sendable {
    /// The role's name.
    public let name: String
    /// From 1 on.
    public let number: Int

    public init(_ name: String, _ number: Int) { (self.name, self.number) = (name, number) }
}

extension Life: CustomStringConvertible {
    public var description: String { number == 1 ? name : "\(name) (start \(number))" }
}
