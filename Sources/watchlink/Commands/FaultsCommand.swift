import Foundation
import ServiceRuntime

/// Faults of a device: asked for, shown, ended.
enum FaultsCommand: Command {
    static let name = "faults"
    static let summary = "lost, late and repeated packages, and failing disks"
    static let forms = [
        CommandForm("faults [SIDE]", "the faults of the host or the companion"),
        CommandForm(
            "faults [SIDE] drop|delay|duplicate|hold [in|out] WHAT [by=2s] [nth=3] [times=2] [probability=0.5]",
            "packages that go out, or with “in” those that come; WHAT: message, reply, context, user-info, file, acknowledgement, state, any"
        ),
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
        CommandForm("faults disk full after=20", "the host's disk takes 20 more writes"),
        CommandForm("faults clear", "everything is well again"),
    ]
    static let vocabulary =
        CommandOptions.sides + [
            "drop", "delay", "duplicate", "hold", "release", "clear", "disk", "reachability", "activation",
        ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var words = invocation.words[...]
        let side = words.first.flatMap { ["host", "companion"].contains($0) ? $0 : nil } ?? "host"
        if words.first == side { words = words.dropFirst() }
        let (method, params) = try request(words, invocation, side)
        let client = try invocation.device(side)
        let answer: JSONValue
        do throws(ControlClient.Failure) {
            answer = try client.call(method, params)
        } catch {
            throw CommandError(error, service: side)
        }
        print(invocation.wantsJSON ? try answer.text(pretty: true) : text(side, answer))
        return .success
    }

    private static func request(
        _ words: ArraySlice<String>, _ invocation: Invocation, _ side: String
    ) throws(UsageError) -> (String, JSONValue) {
        var rest = words
        guard let verb = rest.popFirst() else { return ("faults.list", .object([:])) }
        var options: [String: String] = [:]
        for word in rest {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { options[parts[0]] = parts[1] }
        }
        switch verb {
        case "release": return ("faults.release", .object([:]))
        case "clear": return ("faults.clear", .object(directory(invocation)))
        case "drop", "delay", "duplicate", "hold":
            return ("faults.add", ["words": .array(words.map { .string($0) })])
        case "disk":
            var params = directory(invocation)
            params["fault"] = .string(rest.first ?? "")
            params["after"] = .integer(Int64(options["after"] ?? "") ?? 0)
            return ("faults.disk", .object(params))
        case "reachability":
            return (
                "faults.reachability",
                [
                    "idea": .string(rest.first ?? ""), "silent": .boolean(rest.contains("silent")),
                    "flap": options["flap"].map { .string($0) } ?? .null,
                ]
            )
        case "activation":
            return (
                "faults.activation",
                [
                    "delay": .string(options["delay"] ?? "0s"),
                    "failures": .integer(Int64(options["failures"] ?? "") ?? 0),
                ]
            )
        default: throw UsageError("“\(verb)” is no fault; “watchlink --help” has them")
        }
    }

    /// A service's databases lie side by side in its state directory; any other device has one of its own.
    private static func directory(_ invocation: Invocation) -> [String: JSONValue] {
        invocation.options["control"] == nil ? ["directory": .string(invocation.state.path)] : [:]
    }

    private static func text(_ side: String, _ answer: JSONValue) -> String {
        let rules = answer["rules"]?.array?.compactMap(\.string) ?? []
        var rows = rules.enumerated().map { [$0.offset == 0 ? "faults of the \(side)" : "", $0.element] }
        if rows.isEmpty { rows = [["faults of the \(side)", "none of packages"]] }
        rows.append(["injected", "\(answer["injected"]?.integer ?? 0), waiting \(answer["waiting"]?.integer ?? 0)"])
        rows.append(["reachability", answer["reachability"]?.string ?? "?"])
        return TextTable.text(rows)
    }
}
