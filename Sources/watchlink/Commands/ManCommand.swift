import Foundation
import ServiceRuntime

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
        guard invocation.words.count <= 1, let page = ManualPage.all.first(where: { $0.name == name }) else {
            let hint = NearestWord.of(name, among: vocabulary).map { "; did you mean “\($0)”?" } ?? ""
            throw UsageError("there is no page “\(name)”\(hint); there are \(vocabulary.joined(separator: ", "))")
        }
        print(page.text, terminator: "")
        return .success
    }
}
