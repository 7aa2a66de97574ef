import Foundation
import Processes
import ServiceRuntime

/// One of the command line's commands.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// In a few words, for the list of all.
    static var summary: String { get }
    static var forms: [CommandForm] { get }
    /// What it takes beside the options that every command has.
    static var options: [OptionDefinition] { get }
    /// Command lines that work as they stand, with what they are for.
    static var examples: [CommandForm] { get }
    /// What its words may be, for the completion.
    static var vocabulary: [String] { get }
    static func run(_ invocation: Invocation) throws -> ExitCode
}

extension Command {
    static var options: [OptionDefinition] { [] }
    static var vocabulary: [String] { [] }

    static var help: String {
        let own = options.isEmpty ? "" : "\nIts options:\n\(OptionParser(options).help)\n"
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
