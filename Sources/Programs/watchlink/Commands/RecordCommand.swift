import Cassettes
import Configuration
import Foundation
import Processes
import ServiceRuntime
import Words

/// Records devices into cassettes, and checks cassettes.
enum RecordCommand: Command {
    static let name = "record"
    static let summary = "record devices into cassettes without a private word"
    static let forms = [
        CommandForm(
            "record [SIDE…] --into DIR",
            "record running devices, by default all, each into a cassette in the directory, until Ctrl-C"),
        CommandForm(
            "record check DIR",
            "check that a cassette, or each one in the directory, is what its format says, and that it has no secret; 3 if it has one"
        ),
    ]
    static let into = OptionDefinition("into", placeholder: "DIR", help: "the directory of the new cassettes")
    static let span = OptionDefinition("for", placeholder: "TIME", help: "record for this time, such as 10s or 5min")
    static let keep = OptionDefinition(
        "keep", placeholder: "KEYPATH", help: "keep the values at a key path, such as answers[].points; may be repeated"
    )
    static let secrets = OptionDefinition(
        "secrets", placeholder: "FILE", help: "check: words that must not be in a cassette, one a line")
    static let options = [into, span, keep, secrets]
    static let examples = [
        CommandForm("record --into cassettes", "record all running devices until Ctrl-C"),
        CommandForm("record phone --into cassettes --for 10s", "record the phone of “watchlink run” for ten seconds"),
        CommandForm(
            "record --into cassettes --keep answers[].points", "and show the points, which are nobody's secret"),
        CommandForm("record check cassettes --secrets words.txt", "prove that no word of a list is in them"),
        CommandForm("inspect cassettes/phone-1", "read one"),
    ]
    private static let check = "check"
    static let vocabulary = CommandOptions.names + [check]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        if invocation.words.first == check { return try runCheck(invocation) }
        guard let folder = invocation.options[into.name] else {
            throw UsageError("record needs --into DIR, the directory of the new cassettes")
        }
        guard invocation.options[secrets.name] == nil else {
            throw UsageError("--secrets belongs to “record check”; check the cassettes after the recording")
        }
        let limit = try invocation.options[span.name].map { text in
            guard let span = WordValue.span(text), span > .zero else {
                throw UsageError("--for \(text): it must be a span like 10s or 5min")
            }
            return span
        }
        let all = try invocation.devices()
        let devices = try invocation.words.isEmpty ? all : invocation.words.map { try invocation.device($0, of: name) }
        return try DeviceTake(
            devices, named: !invocation.words.isEmpty, folder: URL(filePath: folder).standardizedFileURL.plainPath,
            keeping: invocation.options.all(keep.name), invocation
        ).run(for: limit)
    }

    // MARK: - Checking

    private static func runCheck(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.count == 2 else {
            throw UsageError("record check needs a cassette, or a directory of cassettes")
        }
        if let foreign = [into, span, keep].first(where: { invocation.options[$0.name] != nil }) {
            throw UsageError("--\(foreign.name) belongs to a recording, not to “record check”")
        }
        let search = try invocation.options[secrets.name].map { try SecretList.search($0) }
        let paths = try Cassette.all(at: invocation.words[1])
        guard !paths.isEmpty else { throw CommandError("\(Cassette.error(at: invocation.words[1]))") }
        let checks = try paths.flatMap(Cassette.withAccepted).map { path in
            do {
                return try CassetteCheck(Cassette(at: path), search)
            } catch {
                throw CommandError("\(error)")
            }
        }
        try StandardOutput.print(
            invocation.wantsJSON
                ? try CassetteCheck.json(checks, search).text(pretty: true)
                : (checks.map(\.text) + CassetteCheck.notes(search)).joined(separator: "\n"))
        return checks.allSatisfy { $0.findings.isEmpty } ? .success : .found
    }
}
