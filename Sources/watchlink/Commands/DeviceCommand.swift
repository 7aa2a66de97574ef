import Foundation
import ServiceRuntime
import WatchConnectivity

/// What happens to a device around its app: shown, and done.
enum DeviceCommand: Command {
    static let name = "device"
    static let summary = "what a person does to a phone or a watch"
    static let forms = [
        CommandForm("device [SIDE]", "how a device is: its app, its session, what waits"),
        CommandForm("device SIDE ACTION", "\(DeviceMethods.actions.joined(separator: ", "))"),
    ]
    static let options = [CommandOptions.control]
    static let examples = [
        CommandForm("device companion wrist-down", "the watch is no longer looked at"),
        CommandForm("device host --json", "for programs"),
    ]
    static let vocabulary = CommandOptions.sides + DeviceMethods.actions

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let words = invocation.words
        let side = words.first ?? "host"
        guard ["host", "companion"].contains(side), words.count <= 2 else {
            throw UsageError("device takes “host” or “companion”, and perhaps an action")
        }
        let client = try invocation.device(side)
        let status: JSONValue
        do throws(ControlClient.Failure) {
            if words.count == 2 {
                status = try client.call("device.set", ["action": .string(words[1])])
            } else {
                status = try client.call("device.status")
            }
        } catch {
            throw CommandError(error, service: side)
        }
        print(invocation.wantsJSON ? try status.text(pretty: true) : text(status))
        return .success
    }

    private static func text(_ status: JSONValue) -> String {
        func flag(_ key: String, _ word: String) -> String? { status[key]?.boolean == true ? word : nil }
        let conditions = [
            flag("wristDown", "wrist down"), flag("workout", "workout"), flag("locked", "locked"),
            status["appInstalled"]?.boolean == false ? "app not installed" : nil,
        ].compactMap { $0 }
        let rows = [
            ["device", "\(status["role"]?.string ?? "?") \(status["identifier"]?.string ?? "")"],
            ["app", ([status["application"]?.string ?? "?"] + conditions).joined(separator: ", ")],
            [
                "session",
                "\(status["session"]?.string ?? "?"), \(status["reachable"]?.boolean == true ? "reachable" : "not reachable")",
            ],
            ["outgoing", "\(status["outgoing"]?.integer ?? 0)"],
            ["incoming", "\(status["incoming"]?.integer ?? 0) not yet given to the app"],
        ]
        return TextTable.text(rows)
    }
}
