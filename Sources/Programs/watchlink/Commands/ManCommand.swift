import Foundation
import Processes
import ServiceRuntime
import Words

/// Prints the manual pages, which are generated from the same lists as the help.
enum ManCommand: Command {
    static let name = "man"
    static let summary = "print a manual page"
    static let forms = [
        CommandForm("man [PAGE]", "print a manual page as roff; \(ManualPage.names.joined(separator: ", "))")
    ]
    static let examples = [
        CommandForm("man watchlink | man -l -", "read a page that is not installed"),
        CommandForm("man watchlink-events", "list every log event"),
    ]
    static let vocabulary = ManualPage.names

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let name = invocation.words.first ?? "watchlink"
        if invocation.words.count > 1 { throw WordError.superfluous(invocation.words[1], subject: "man") }
        guard let page = ManualPage.all.first(where: { $0.name == name }) else {
            throw WordError.unknown(name, subject: "manual page", allowed: vocabulary)
        }
        try StandardOutput.print(page.text, terminator: "")
        return .success
    }
}
