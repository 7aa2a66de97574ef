import Foundation
import ServiceRuntime
import WatchConnectivity

/// What happens to a device around its app: shown, and done.
enum DeviceCommand: Command {
    static let name = "device"
    static let usage = [
        "device [host|companion]    how the device is: its app, its session, what waits",
        "device SIDE ACTION         \(DeviceMethods.actions.prefix(7).joined(separator: ", ")),",
        "                           \(DeviceMethods.actions.dropFirst(7).joined(separator: ", "))",
    ]

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
