/// The options and operands that a program was called with.
public struct ParsedOptions: Sendable, Equatable {
    /// The values by the option's long name, in the order given; a flag's value is empty.
    private let lists: [String: [String]]
    /// The arguments that are not options, in the order given.
    public let operands: [String]

    /// Creates options with all their values.
    public init(lists: [String: [String]], operands: [String]) {
        (self.lists, self.operands) = (lists, operands)
    }

    /// Creates options that were each given once.
    public init(values: [String: String], operands: [String]) {
        self.init(lists: values.mapValues { [$0] }, operands: operands)
    }

    /// The long names of the options that were given.
    public var names: Set<String> { Set(lists.keys) }
    /// Returns true if the option was given.
    public func has(_ name: String) -> Bool { lists[name] != nil }
    /// The option's last value: an option added to the end of a command line overrides an earlier one.
    public subscript(name: String) -> String? { lists[name]?.last }
    /// Returns all values of an option that can be repeated.
    public func all(_ name: String) -> [String] { lists[name] ?? [] }

    /// Returns a copy without an option.
    public func without(_ name: String) -> ParsedOptions {
        ParsedOptions(lists: lists.filter { $0.key != name }, operands: operands)
    }
}
