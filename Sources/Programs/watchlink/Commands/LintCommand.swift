import Configuration
import ExploreWords
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import WatchLinkTesting
import Words

/// Finds code of an app that would trap on a device, and contents that will hurt when an old and a new build meet; those
/// in the exploring program.
enum LintCommand: Command {
    static let name = "lint"
    static let summary = "find code of an app that traps on a device, and contents that other builds cannot take"
    static let forms = [
        CommandForm(
            "lint PROGRAM [-- ARGUMENT…]",
            "run a program as phone and as watch, call every method of its delegate and every handler that it hands over, and name those that trap on a device; 3 if there are any"
        ),
        CommandForm(
            "lint --cassettes DIR [--phone PROGRAM] [--watch PROGRAM]",
            "name what in recorded contents will hurt when an old and a new build meet, and try builds with values that they do not know; 3 if there is any from --level on"
        ),
    ]
    private static let role = OptionDefinition(
        "role", placeholder: "phone|watch|both", help: "the device that the program is; default both")
    private static let feed = OptionDefinition(
        "feed", placeholder: "TEXT", help: "a line for the program's standard input; may be repeated")
    static let options = [role, feed] + ExploreForm.lint.options
    static let examples = [
        CommandForm("lint .build/debug/Watch --role watch", "check the watch's program"),
        CommandForm("lint .build/debug/App --feed send", "check an app that sends when it reads “send”"),
        CommandForm("lint .build/debug/App --json", "print JSON for a build server"),
        CommandForm("lint --cassettes cassettes", "check the contents of recordings"),
        CommandForm(
            "lint --cassettes cassettes --phone PhoneApp --level decodes --sarif lint.sarif",
            "try a build with unknown values, in CI"),
    ]

    private enum Side: String, CaseIterable {
        case phone, watch, both

        var roles: [DeviceRole] {
            switch self {
            case .phone: [.host]
            case .watch: [.companion]
            case .both: DeviceRole.allCases
            }
        }
    }

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let isOfCassettes = invocation.options.has("cassettes")
        let foreign = isOfCassettes ? [role, feed] : ExploreForm.lint.options
        if let option = foreign.first(where: { invocation.options.has($0.name) }) {
            throw UsageError(
                "--\(option.name) is for “lint \(isOfCassettes ? "PROGRAM" : "--cassettes DIR")” only")
        }
        if isOfCassettes {
            return try ExploreCommand.replaceThisProgram(
                [ExploreForm.lint.rawValue] + invocation.words, invocation.options, options)
        }
        guard let program = invocation.words.first else {
            throw UsageError("lint needs a program, an executable that imports WatchConnectivity, or --cassettes DIR")
        }
        let word = invocation.options[role.name] ?? Side.both.rawValue
        guard let side = Side(rawValue: word) else {
            throw WordError.unknown(word, subject: "role", allowed: Side.allCases.map(\.rawValue))
        }
        ScratchDirectory.removeAllOnSignals()
        let report = try IsolationCheck(
            program: URL(filePath: program), arguments: Array(invocation.words.dropFirst()), roles: side.roles,
            feed: invocation.options.all(feed.name)
        ).run()
        try StandardOutput.print(invocation.wantsJSON ? json(report).text(pretty: true) : text(report))
        return report.findings.isEmpty ? .success : .found
    }

    private static func text(_ report: IsolationReport) -> String {
        var lines = report.findings.map(\.description)
        lines += report.notes.map { "note: \($0)" }
        let count = report.findings.count
        lines.append(
            count == 0
                ? "Nothing found in \(report.checked.count) kinds of calls: \(report.checked.joined(separator: ", "))."
                : "\(count) \(count == 1 ? "place" : "places") found.")
        return lines.flatMap { $0.components(separatedBy: "\n") }.map { TerminalText.printable($0) }
            .joined(separator: "\n")
    }

    private static func json(_ report: IsolationReport) -> JSONValue {
        [
            "findings": .array(
                report.findings.map { finding in
                    [
                        "kind": .string(finding.kind.rawValue), "place": finding.place.map { .string($0) } ?? .null,
                        "function": finding.function.map { .string($0) } ?? .null, "text": .string(finding.text),
                        "cure": .string(finding.cure),
                        "devices": .array(finding.roles.map { .string($0 == .host ? "phone" : "watch") }),
                    ]
                }),
            "notes": .array(report.notes.map { .string($0) }),
            "checked": .array(report.checked.map { .string($0) }),
        ]
    }
}
