import ServiceRuntime

/// Completion for zsh, with a description of each word.
enum ZshCompletion {
    static func script(_ table: CompletionTable) -> String {
        """
        #compdef \(table.program)
        # zsh completion of \(table.program)
        _\(table.identifier)() {
            local -a commands operands options
            local command= i
            commands=(\(table.commands.map { word($0.name, $0.summary) }.joined(separator: " ")))
            for ((i = 2; i < CURRENT; i++)); do
                case $words[i] in
                    -*) ;;
                    *) command=$words[i]; break ;;
                esac
            done
            case $command in
        \(table.commands.map(line).joined(separator: "\n"))
            esac
            options+=(\(list(table.options)))
            if [[ $words[CURRENT] == -* ]]; then
                _describe -o option options
            elif [[ -z $command && $#commands -gt 0 ]]; then
                _describe command commands
            else
                (( $#operands )) && compadd -a operands
                _files
            fi
        }
        _\(table.identifier) "$@"

        """
    }

    private static func line(_ command: CompletionTable.Command) -> String {
        """
                \(command.name)) operands=(\(command.words.map(quoted).joined(separator: " ")))
                    options=(\(list(command.options))) ;;
        """
    }

    private static func list(_ options: [OptionDefinition]) -> String {
        options.map { word("--\($0.name)", $0.help) }.joined(separator: " ")
    }

    /// Returns a word and its description, which a colon separates.
    private static func word(_ name: String, _ description: String) -> String {
        quoted(name.replacing(":", with: "\\:") + ":" + description)
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
