/// An option: `--name` or `--name VALUE`, and perhaps `-x`.
public struct OptionDefinition: Sendable {
    public let name: String
    public let short: Character?
    /// What stands for the value in the help; nil for a flag.
    public let placeholder: String?
    public let help: String

    public init(_ name: String, short: Character? = nil, placeholder: String? = nil, help: String) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
    }
}
