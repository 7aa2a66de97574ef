import Foundation
import Processes
import ServiceRuntime
import Words

/// The manual pages, made of the same lists as the help.
enum ManCommand: Command {
    static let name = "man"
    static let summary = "a manual page"
    static let forms = [
        CommandForm("man [PAGE]", "a manual page as roff; \(ManualPage.names.joined(separator: ", "))")
    ]
    static let examples = [
        CommandForm("man watchlink | man -l -", "read one that is not installed"),
        CommandForm("man watchlink-events", "every event of the log"),
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
