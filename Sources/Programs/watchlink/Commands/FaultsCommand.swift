import Configuration
import DeviceControl
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import Words

/// Faults of a device: asked for, shown, ended.
enum FaultsCommand: Command {
    static let name = "faults"
    static let summary = "lost, late and repeated packages, errors of one's choice, and failing disks"
    static let forms = [
        CommandForm("faults [SIDE]", "the faults of the host or the companion"),
        CommandForm(
            "faults [SIDE] drop|delay|duplicate|hold [in|out] WHAT [by=2s] [jitter=3s] [nth=3] [times=2] [probability=0.5]",
            "packages that go out, or with “in” those that come; WHAT: message, reply, context, user-info, file, acknowledgement, state, any"
        ),
        CommandForm(
            "faults [SIDE] lose [in|out] WHAT for=10s [jitter=30s] [nth=3] [times=2] [probability=0.5]",
            "the package and the link with it, which is gone for so long, and by chance up to the jitter longer"),
        CommandForm(
            "faults [SIDE] duplicate message|context|user-info|file at-app [nth=3] [times=2] [probability=0.5]",
            "the app of that side is given it twice; “duplicate” without “at-app” is taken out below the app"),
        CommandForm(
            "faults [SIDE] replay context [nth=3] [times=2] [probability=0.5]",
            "behind a context the app is given the one before it once more"),
        CommandForm(
            "faults [SIDE] fail message|context|user-info|file|activation with=ERROR [nth=3] [times=2] [probability=0.5]",
            "what the app of that side tries ends with an error of WCError, by its name or number: transferTimedOut or 7017"
        ),
        CommandForm(
            "faults [SIDE] slow PROPERTY by=2s [nth=3] [times=2] [probability=0.5]",
            "who reads the property of the session waits; PROPERTY: isReachable, activationState and so on, or any"),
        CommandForm(
            "faults [SIDE] early refresh-task by=2s [nth=3] [times=2] [probability=0.5]",
            "a sleeping watch app gets its background time so long before what it gets it for"),
        CommandForm("faults [SIDE] release|clear", "what was held goes on; all faults end"),
        CommandForm(
            "faults [SIDE] disk full|error|read-only|none [after=WRITES]", "the disk below the databases fails"),
        CommandForm(
            "faults [SIDE] reachability right|stale|always|never [silent] [flap=2s]", "a wrong idea of who is there"),
        CommandForm(
            "faults [SIDE] activation [delay=2s] [failures=1]", "a session that is slow to activate, or fails to"),
    ]
    static let options = [CommandOptions.control]
    static let examples = [
        CommandForm("faults host drop reply times=2", "the host's next two replies are lost"),
        CommandForm(
            "faults host fail user-info with=transferTimedOut nth=2", "the host's second user info fails with 7017"),
        CommandForm("faults disk full after=20", "the host's disk takes 20 more writes"),
        CommandForm("faults clear", "everything is well again"),
    ]
    static let vocabulary = CommandOptions.sides + FaultDeed.verbs

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        if let first = invocation.words.first, !vocabulary.contains(first) {
            throw WordError.unknown(first, subject: "faults", allowed: vocabulary)
        }
        let side: DeviceRole = reader.optional() ?? .host
        let deed = reader.rest.isEmpty ? nil : try FaultDeed(words: reader.rest)
        let answer = try invocation.ask(side, deed.map(DeviceRequest.fault) ?? .faults)
        try StandardOutput.print(invocation.wantsJSON ? answer.text(pretty: true) : text(side.rawValue, answer))
        return .success
    }

    private static func text(_ side: String, _ answer: JSONValue) -> String {
        let rules = answer["rules"]?.array?.compactMap(\.string) ?? []
        var rows = rules.enumerated().map { [$0.offset == 0 ? "faults of the \(side)" : "", $0.element] }
        if rows.isEmpty { rows = [["faults of the \(side)", "none of packages"]] }
        rows.append(["injected", "\(answer["injected"]?.integer ?? 0), waiting \(answer["waiting"]?.integer ?? 0)"])
        rows.append(["reachability", answer["reachability"]?.string ?? "?"])
        rows.append(["disk", answer["disk"]?.array?.compactMap(\.string).joined(separator: " ") ?? "?"])
        let (delay, failures) = (answer["activationDelay"]?.number ?? 0, answer["activationFailures"]?.integer ?? 0)
        rows.append([
            "activation", delay == 0 && failures == 0 ? "right" : "\(delay) s late, \(failures) will fail",
        ])
        return TextTable.text(rows)
    }
}
