import Configuration
import DeviceControl
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import Words

/// Shows and conditions a device's link.
enum LinkCommand: Command {
    static let name = "link"
    static let summary = "show or degrade the link: delay, bandwidth, outages"
    static let forms = [
        CommandForm(
            "link [SIDE] status", "show the link of the host or the companion; by default of the host"),
        CommandForm(
            "link [SIDE] condition NAME|KEY=VALUE…",
            """
            \(LinkPreset.allCases.map(\.rawValue).joined(separator: ", ")); latency=80ms jitter=20ms bandwidth=20k stall=on \
            cut-after=900 piece=100 pause=50ms, each with in. or out. for one direction; refuse=on accept-delay=2s up=10s down=5s
            """),
    ]
    static let options = [CommandOptions.control, CommandOptions.device]
    static let examples = [
        CommandForm("link companion condition bluetooth-far", "simulate a long delay and low bandwidth"),
        CommandForm("link host condition latency=80ms out.bandwidth=20k", "degrade it; bandwidth in one direction"),
        CommandForm("link condition perfect", "reset to a perfect link"),
    ]
    static let vocabulary = CommandOptions.names + ["status", "condition"] + LinkPreset.allCases.map(\.rawValue)

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        let device = try invocation.device(&reader) ?? invocation.phone()
        let verb = reader.rest.isEmpty ? "status" : try reader.choice("link", among: ["status", "condition"])
        let request: DeviceRequest
        if verb == "condition" {
            let condition = try LinkCondition(words: reader.rest)
            request = .condition(condition, for: try invocation.uuid(option: CommandOptions.device))
        } else {
            try reader.end("link status")
            request = .link
        }
        let status = try invocation.ask(device, request)
        try StandardOutput.print(invocation.wantsJSON ? status.text(pretty: true) : text(device.name, status))
        return .success
    }

    private static func text(_ side: String, _ status: JSONValue) -> String {
        var rows = [
            ["link of the \(side)", status["condition"]?.string ?? "?"],
            ["state", status["up"]?.boolean == true ? "up" : "out of range"],
            ["connected", "\(status["connected"]?.integer ?? 0)"],
        ]
        if case .object(let devices) = status["devices"] ?? .null {
            for (device, condition) in devices.sorted(by: { $0.key < $1.key }) {
                rows.append([device, condition.string ?? ""])
            }
        }
        return TextTable.text(rows)
    }
}
