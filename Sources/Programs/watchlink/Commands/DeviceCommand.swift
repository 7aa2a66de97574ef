import Configuration
import DeviceControl
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import Words

/// Shows and changes the state of a device around its app.
enum DeviceCommand: Command {
    static let name = "device"
    static let summary = "act as the user of a phone or a watch"
    static let forms = [
        CommandForm("device [SIDE]", "show a device's app, session and queues"),
        CommandForm("device SIDE ACTION", DeviceDeed.allCases.map(\.rawValue).joined(separator: ", ")),
    ]
    static let options = [CommandOptions.control]
    static let examples = [
        CommandForm("device companion wrist-down", "lower the wrist with the watch"),
        CommandForm("device host --json", "print the host's state as JSON"),
    ]
    static let vocabulary = CommandOptions.names + DeviceDeed.allCases.map(\.rawValue)

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        let device = try reader.next().map { try invocation.device($0, of: name) } ?? invocation.phone()
        let deed = reader.rest.isEmpty ? nil : try DeviceDeed(words: reader.rest)
        let status = try invocation.ask(device, deed.map(DeviceRequest.device) ?? .status)
        try StandardOutput.print(invocation.wantsJSON ? status.text(pretty: true) : text(status))
        return .success
    }

    private static func text(_ status: JSONValue) -> String {
        func flag(_ key: String, _ word: String) -> String? { status[key]?.boolean == true ? word : nil }
        let conditions = [
            flag("wristDown", "wrist down"), flag("workout", "workout"), flag("locked", "locked"),
            status["appInstalled"]?.boolean == false ? "app not installed" : nil,
        ].compactMap { $0 }
        var rows = [
            ["device", "\(status["role"]?.string ?? "?") \(status["identifier"]?.string ?? "")"],
            ["app", ([status["application"]?.string ?? "?"] + conditions).joined(separator: ", ")],
            [
                "session",
                "\(status["session"]?.string ?? "?"), \(status["reachable"]?.boolean == true ? "reachable" : "not reachable")",
            ],
            ["outgoing", "\(status["outgoing"]?.integer ?? 0)"],
            ["incoming", "\(status["incoming"]?.integer ?? 0) not yet delivered to the app"],
        ]
        if let call = OverdueCall(status) { rows.append(["delegate", call.text]) }
        return TextTable.text(rows)
    }
}
