import Foundation
import Processes
import ServiceRuntime
import Words

/// Prints shell completion scripts.
enum CompletionCommand: Command {
    static let name = "completion"
    static let summary = "print a shell completion script"
    static let forms = [CommandForm("completion SHELL", "print a script that completes commands and options")]
    static let examples = [
        CommandForm("completion bash > ~/.local/share/bash-completion/completions/watchlink", "install for yourself"),
        CommandForm("completion zsh > ~/.zfunc/_watchlink", "the same for zsh, with ~/.zfunc in fpath"),
        CommandForm("completion fish > ~/.config/fish/completions/watchlink.fish", "the same for fish"),
    ]
    static let vocabulary = CompletionShell.allCases.map(\.rawValue)

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        let word = try reader.choice(name, among: vocabulary)
        try reader.end("\(name) \(word)")
        guard let shell = CompletionShell(rawValue: word), let table = CompletionTable.all.first else {
            throw UsageError("unknown shell “\(word)”")
        }
        try StandardOutput.print(shell.script(table), terminator: "")
        return .success
    }
}
