import ServiceRuntime

/// Completion for bash.
enum BashCompletion {
    static func script(_ table: CompletionTable) -> String {
        """
        # bash completion of \(table.program)
        _\(table.identifier)() {
            local word=${COMP_WORDS[COMP_CWORD]} command= words= options= i
            for ((i = 1; i < COMP_CWORD; i++)); do
                case ${COMP_WORDS[i]} in
                    -*) ;;
                    *) command=${COMP_WORDS[i]}; break ;;
                esac
            done
            case $command in
                '') words="\(table.commands.map(\.name).joined(separator: " "))" ;;
        \(table.commands.map(line).joined(separator: "\n"))
            esac
            if [[ $word == -* ]]; then
                COMPREPLY=($(compgen -W "$options \(names(table.options))" -- "$word"))
            else
                COMPREPLY=($(compgen -W "$words" -- "$word"))
                # If no word matches, complete files.
                [[ -n $command\(table.commands.isEmpty ? " || -z $words" : "") ]] && [[ ${#COMPREPLY[@]} == 0 ]] && COMPREPLY=($(compgen -f -- "$word"))
            fi
        }
        complete -o filenames -F _\(table.identifier) \(table.program)

        """
    }

    private static func line(_ command: CompletionTable.Command) -> String {
        """
                \(command.name)) words="\(command.words.joined(separator: " "))"
                    options="\(names(command.options))" ;;
        """
    }

    private static func names(_ options: [OptionDefinition]) -> String {
        options.map { "--\($0.name)" }.joined(separator: " ")
    }
}
