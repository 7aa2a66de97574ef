import ServiceRuntime
import Services

/// Completion scripts for bash.
enum Completion {
    static let programs = ["watchlink", "watchlink-host", "watchlink-companion"]

    static func bash(_ program: String) -> String {
        program == "watchlink" ? commandLine : service(program)
    }

    private static func options(_ options: [OptionDefinition]) -> String {
        options.map { "--\($0.name)" }.joined(separator: " ")
    }

    private static func service(_ program: String) -> String {
        """
        # bash completion of \(program)
        _\(identifier(program))() {
            local word=${COMP_WORDS[COMP_CWORD]}
            if [[ $word == -* ]]; then
                COMPREPLY=($(compgen -W "\(options(ServiceProgram.options))" -- "$word"))
            else
                COMPREPLY=($(compgen -f -- "$word"))
            fi
        }
        complete -o filenames -F _\(identifier(program)) \(program)

        """
    }

    private static func identifier(_ program: String) -> String {
        String(program.map { $0 == "-" ? "_" : $0 })
    }

    private static var commandLine: String {
        let commands = Watchlink.commands.map { $0.name } + ["help"]
        let cases = Watchlink.commands.map { command in
            """
                    \(command.name)) words="\(command.vocabulary.joined(separator: " "))"
                        options="\(options(command.options))" ;;
            """
        }.joined(separator: "\n")
        return """
            # bash completion of watchlink
            _watchlink() {
                local word=${COMP_WORDS[COMP_CWORD]} command= words= options= i
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                        -*) ;;
                        *) command=${COMP_WORDS[i]}; break ;;
                    esac
                done
                case $command in
                    '') words="\(commands.joined(separator: " "))" ;;
                    help) words="\(commands.joined(separator: " "))" ;;
            \(cases)
                esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W "$options \(options(CommandOptions.common))" -- "$word"))
                else
                    COMPREPLY=($(compgen -W "$words" -- "$word"))
                    # If no word matches, complete files.
                    [[ -n $command && ${#COMPREPLY[@]} == 0 ]] && COMPREPLY=($(compgen -f -- "$word"))
                fi
            }
            complete -o filenames -F _watchlink watchlink

            """
    }
}
