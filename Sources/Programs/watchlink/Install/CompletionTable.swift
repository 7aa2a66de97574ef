import ServiceRuntime
import Services

/// The words that shells complete after a program's name: one table, from which the script of each shell is made.
struct CompletionTable {
    struct Command {
        let name: String
        let summary: String
        /// The possible operands.
        let words: [String]
        let options: [OptionDefinition]
    }

    let program: String
    /// Empty for a program whose operands are files.
    let commands: [Command]
    /// The options of every command.
    let options: [OptionDefinition]

    /// The table of each program.
    static let all = [
        CompletionTable(
            program: "watchlink",
            commands: Watchlink.commands.map {
                Command(name: $0.name, summary: $0.summary, words: $0.vocabulary, options: $0.options)
            } + [
                Command(
                    name: "help", summary: "explain a command", words: Watchlink.commands.map { $0.name }, options: [])
            ], options: CommandOptions.common),
        CompletionTable(program: "watchlink-host", commands: [], options: ServiceProgram.options),
        CompletionTable(program: "watchlink-companion", commands: [], options: ServiceProgram.options),
    ]

    /// The program's name as a part of a shell function's.
    var identifier: String { program.replacing("-", with: "_") }
}
