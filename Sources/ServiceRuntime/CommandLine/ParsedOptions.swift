/// What a program was called with.
public struct ParsedOptions: Sendable, Equatable {
    /// By the option's long name; flags have an empty value.
    public let values: [String: String]
    /// What is no option, in its order.
    public let operands: [String]

    public init(values: [String: String], operands: [String]) {
        self.values = values
        self.operands = operands
    }

    public func has(_ name: String) -> Bool { values[name] != nil }
    public subscript(name: String) -> String? { values[name] }
}
