/// The error for a program that does not lie beside the tests.
public struct MissingProgram: Error, CustomStringConvertible {
    /// The most programs that the text lists. 12: a line or two.
    private static let mostListed = 12

    /// The name.
    public let name: String
    /// The directory of the tests.
    public let directory: String
    /// The programs in that directory.
    public let programs: [String]

    public var description: String {
        let rest = programs.count - Self.mostListed
        let listed = programs.prefix(Self.mostListed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return """
            There is no program “\(name)” beside the tests, in \(directory)
            It is built with the tests if their target depends on it. In Package.swift:
                .executableTarget(name: "\(name)", …),
                .testTarget(name: …, dependencies: ["\(name)", …]),
            or, if another package has it, .product(name: "\(name)", package: …). For a program elsewhere, give its URL.
            Programs that are there: \(listed.isEmpty ? "none" : listed)
            """
    }
}
