import ServiceRuntime

/// Completion for fish, with a description of each word.
enum FishCompletion {
    static func script(_ table: CompletionTable) -> String {
        let program = table.program
        var lines = ["# fish completion of \(program)"]
        for command in table.commands {
            lines.append(
                "complete -c \(program) -f -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
            let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
            if !command.words.isEmpty {
                lines.append(
                    "complete -c \(program) \(condition) -a \(quoted(command.words.joined(separator: " ")))")
            }
            lines += command.options.map { "complete -c \(program) \(condition) \(option($0))" }
        }
        lines += table.options.map { "complete -c \(program) \(option($0))" }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func option(_ option: OptionDefinition) -> String {
        (option.short.map { "-s \($0) " } ?? "") + "-l \(option.name)" + (option.placeholder == nil ? "" : " -r")
            + " -d \(quoted(option.help))"
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
