import Foundation
import Processes
import ServiceRuntime

/// Prints shell completion scripts.
enum CompletionCommand: Command {
    static let name = "completion"
    static let summary = "print a shell completion script"
    static let forms = [CommandForm("completion bash", "print a bash script that completes commands and options")]
    static let examples = [
        CommandForm("completion bash > ~/.local/share/bash-completion/completions/watchlink", "install for yourself")
    ]
    static let vocabulary = ["bash"]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words == ["bash"] else { throw UsageError("completion needs a shell; the only one is “bash”") }
        try StandardOutput.print(Completion.bash("watchlink"), terminator: "")
        return .success
    }
}
