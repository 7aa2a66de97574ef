/// A shell that completes command lines.
enum CompletionShell: String, CaseIterable {
    case bash, zsh, fish

    /// Returns the shell's script for a program.
    func script(_ table: CompletionTable) -> String {
        switch self {
        case .bash: BashCompletion.script(table)
        case .zsh: ZshCompletion.script(table)
        case .fish: FishCompletion.script(table)
        }
    }

    /// Returns the place at which the shell looks for a program's script, below the prefix's `share`.
    func file(_ program: String) -> String {
        switch self {
        case .bash: "bash-completion/completions/\(program)"
        case .zsh: "zsh/site-functions/_\(program)"
        case .fish: "fish/vendor_completions.d/\(program).fish"
        }
    }
}
