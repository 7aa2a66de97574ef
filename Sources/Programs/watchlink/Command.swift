import Foundation
import Processes
import ServiceRuntime

/// A command of the command line.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// A short description for the list of commands.
    static var summary: String { get }
    static var forms: [CommandForm] { get }
    /// The options beside those of every command.
    static var options: [OptionDefinition] { get }
    /// The same options as the help shows them.
    static var optionGroups: [OptionGroup] { get }
    /// Complete command lines with their purpose.
    static var examples: [CommandForm] { get }
    /// The possible operands, for the completion.
    static var vocabulary: [String] { get }
    static func run(_ invocation: Invocation) throws -> ExitCode
}

extension Command {
    static var options: [OptionDefinition] { [] }
    static var optionGroups: [OptionGroup] { options.isEmpty ? [] : [OptionGroup("Options", options)] }
    static var vocabulary: [String] { [] }

    static var help: String {
        let own = optionGroups.map { "\n\($0.help)\n" }.joined()
        return """
            watchlink \(name): \(summary).

            \(forms.map { "  watchlink \($0.words)\n      \($0.meaning)" }.joined(separator: "\n"))

            Examples:
            \(TextTable.text(examples.map { ["  watchlink " + $0.words, $0.meaning] }))
            \(own)
            Options of every command: \(CommandOptions.common.map { "--\($0.name)" }.joined(separator: ", ")).
            “watchlink --help” lists all commands.
            """
    }
}
