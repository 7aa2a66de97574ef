/// A command-line option: `--name` or `--name VALUE`, optionally with a short form `-x`.
public struct OptionDefinition: Sendable {
    /// The long name, without dashes.
    public let name: String
    /// The letter of the short form, if there is one.
    public let short: Character?
    /// The placeholder for the value in the help; nil for a flag.
    public let placeholder: String?
    /// The description in the help.
    public let help: String

    /// Creates an option; without a placeholder it is a flag.
    public init(_ name: String, short: Character? = nil, placeholder: String? = nil, help: String) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
    }
}
