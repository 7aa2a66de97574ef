import Configuration
import DeviceControl
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import Words

/// Injects, shows and clears the faults of a device.
enum FaultsCommand: Command {
    static let name = "faults"
    static let summary = "inject lost, late and duplicate packages, errors, and failing disks"
    static let forms = [
        CommandForm("faults [SIDE]", "show the faults of the host or the companion"),
        CommandForm(
            "faults [SIDE] drop|delay|duplicate|hold [in|out] WHAT [by=2s] [jitter=3s] [nth=3] [times=2] [probability=0.5]",
            "affect outgoing packages, or with “in” incoming ones; WHAT: message, reply, context, user-info, file, acknowledgement, state, any"
        ),
        CommandForm(
            "faults [SIDE] lose [in|out] WHAT for=10s [jitter=30s] [nth=3] [times=2] [probability=0.5]",
            "lose the package and the link with it, for this time plus a random part of the jitter"),
        CommandForm(
            "faults [SIDE] reorder [in|out] WHAT within=5s [nth=3] [times=2] [probability=0.5]",
            "let packages wait this long for others, and then pass in any order of their kinds"),
        CommandForm(
            "faults [SIDE] duplicate message|context|user-info|file at-app [nth=3] [times=2] [probability=0.5]",
            "deliver it to that side's app twice; without “at-app”, duplicates are dropped before they reach the app"),
        CommandForm(
            "faults [SIDE] replay context [nth=3] [times=2] [probability=0.5]",
            "after a context, deliver the previous one to the app again"),
        CommandForm(
            "faults [SIDE] fail message|context|user-info|file|activation with=ERROR [nth=3] [times=2] [probability=0.5]",
            "fail the operations of that side's app with a WCError, by name or number: transferTimedOut or 7017"
        ),
        CommandForm(
            "faults [SIDE] slow PROPERTY by=2s [nth=3] [times=2] [probability=0.5]",
            "delay reads of a session property; PROPERTY: isReachable, activationState and so on, or any"),
        CommandForm(
            "faults [SIDE] early refresh-task by=2s [nth=3] [times=2] [probability=0.5]",
            "give a sleeping watch app its background task this long before the content arrives"),
        CommandForm("faults [SIDE] release|clear", "release held packages; clear all faults"),
        CommandForm(
            "faults [SIDE] disk full|error|read-only|none [after=WRITES]", "make the disk of the databases fail"),
        CommandForm(
            "faults [SIDE] reachability right|stale|always|never [silent] [flap=2s]", "report wrong reachability"),
        CommandForm(
            "faults [SIDE] activation [delay=2s] [failures=1]", "delay the session's activation, or make it fail"),
    ]
    static let options = [CommandOptions.control]
    static let examples = [
        CommandForm("faults host drop reply times=2", "lose the host's next two replies"),
        CommandForm(
            "faults host fail user-info with=transferTimedOut nth=2", "fail the host's second user info with 7017"),
        CommandForm("faults disk full after=20", "fill the host's disk after 20 more writes"),
        CommandForm("faults clear", "clear all faults of the host"),
    ]
    static let vocabulary = CommandOptions.names + FaultDeed.verbs

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        let named = try invocation.device(&reader)
        if named == nil, let first = invocation.words.first, !FaultDeed.verbs.contains(first) {
            let names = try invocation.devices().map(\.name)
            throw WordError.unknown(first, subject: "faults", allowed: names + FaultDeed.verbs)
        }
        let device = try named ?? invocation.phone()
        let deed = reader.rest.isEmpty ? nil : try FaultDeed(words: reader.rest)
        let answer = try invocation.ask(device, deed.map(DeviceRequest.fault) ?? .faults)
        try StandardOutput.print(invocation.wantsJSON ? answer.text(pretty: true) : text(device.name, answer))
        return .success
    }

    private static func text(_ side: String, _ answer: JSONValue) -> String {
        let rules = answer["rules"]?.array?.compactMap(\.string) ?? []
        var rows = rules.enumerated().map { [$0.offset == 0 ? "faults of the \(side)" : "", $0.element] }
        if rows.isEmpty { rows = [["faults of the \(side)", "none on packages"]] }
        rows.append(["injected", "\(answer["injected"]?.integer ?? 0), waiting \(answer["waiting"]?.integer ?? 0)"])
        rows.append(["reachability", answer["reachability"]?.string ?? "?"])
        rows.append(["disk", answer["disk"]?.array?.compactMap(\.string).joined(separator: " ") ?? "?"])
        let (delay, failures) = (answer["activationDelay"]?.number ?? 0, answer["activationFailures"]?.integer ?? 0)
        rows.append([
            "activation", delay == 0 && failures == 0 ? "normal" : "\(delay) s late, \(failures) will fail",
        ])
        return TextTable.text(rows)
    }
}
