/// What a program was called with.
public struct ParsedOptions: Sendable, Equatable {
    /// By the option's long name, each value in the order given; flags have empty ones.
    private let lists: [String: [String]]
    /// What is no option, in its order.
    public let operands: [String]

    public init(lists: [String: [String]], operands: [String]) {
        (self.lists, self.operands) = (lists, operands)
    }

    /// Options that were given once.
    public init(values: [String: String], operands: [String]) {
        self.init(lists: values.mapValues { [$0] }, operands: operands)
    }

    /// The options that were given.
    public var names: Set<String> { Set(lists.keys) }
    public func has(_ name: String) -> Bool { lists[name] != nil }
    /// The last value: whoever adds a word to a command line means to change it.
    public subscript(name: String) -> String? { lists[name]?.last }
    /// All values of an option that may be given several times.
    public func all(_ name: String) -> [String] { lists[name] ?? [] }

    /// The same without an option.
    public func without(_ name: String) -> ParsedOptions {
        ParsedOptions(lists: lists.filter { $0.key != name }, operands: operands)
    }
}
