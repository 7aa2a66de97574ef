import Foundation
import Processes
import ServiceRuntime

/// What makes the shell finish words.
enum CompletionCommand: Command {
    static let name = "completion"
    static let summary = "let the shell finish words"
    static let forms = [CommandForm("completion bash", "a script for bash that finishes commands, words and options")]
    static let examples = [
        CommandForm("completion bash > ~/.local/share/bash-completion/completions/watchlink", "for yourself")
    ]
    static let vocabulary = ["bash"]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words == ["bash"] else { throw UsageError("completion takes “bash”") }
        try StandardOutput.print(Completion.bash("watchlink"), terminator: "")
        return .success
    }
}
