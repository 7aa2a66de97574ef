import Configuration
import Foundation
import Processes
import ServiceRuntime

/// Shows both services, live.
enum WatchCommand: Command {
    static let name = "watch"
    static let summary = "show both services, or the programs of a run, live"
    static let forms = [
        CommandForm(
            "watch",
            "show sessions, rates, queues and latest events until q is pressed; without a terminal, print them once")
    ]
    static let examples = [
        CommandForm("watch", "watch your services until q"),
        CommandForm("watch --state-directory /var/lib/watchlink", "watch the system's services"),
    ]

    /// The milliseconds between two updates. A second: readable for people.
    private static let period: Int32 = 1_000

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.isEmpty else { throw UsageError("watch takes no arguments") }
        let devices = try invocation.devices()
        var screen = WatchScreen()
        guard !invocation.wantsJSON, let terminal = LiveTerminal() else {
            let snapshots = look(at: devices, invocation, screen)
            if invocation.wantsJSON {
                try StandardOutput.print(json(snapshots).text(pretty: true))
            } else {
                screen.add(snapshots)
                try StandardOutput.print(
                    screen.lines(title: title(invocation), columns: 120, rows: 40, isColoured: false).joined(
                        separator: "\n"))
            }
            return snapshots.compactMap(\.code).max { $0.rawValue < $1.rawValue } ?? .success
        }
        defer { terminal.restore() }
        repeat {
            screen.add(look(at: devices, invocation, screen))
            let (columns, rows) = terminal.size
            terminal.show(
                screen.lines(title: title(invocation), columns: columns, rows: rows, isColoured: Terminal.isColoured))
        } while !terminal.waitForEnd(period)
        return .success
    }

    private static func look(
        at devices: [CommandDevice], _ invocation: Invocation, _ screen: WatchScreen
    ) -> [ServiceSnapshot] {
        let places = Dictionary(
            devices.map { ($0.name, screen.place(of: $0.name)) }, uniquingKeysWith: { first, _ in first })
        return EachDevice.ask(devices) { ServiceSnapshot.of($0, invocation, after: places[$0.name] ?? 0) }
    }

    private static func title(_ invocation: Invocation) -> String {
        "WatchLink  \(invocation.state.path)  \(Date().formatted(.iso8601))"
    }

    private static func json(_ snapshots: [ServiceSnapshot]) -> JSONValue {
        .object(
            Dictionary(
                snapshots.map { snapshot in
                    let value: JSONValue = [
                        "status": snapshot.status ?? .null,
                        "problem": snapshot.status == nil ? .string(snapshot.problem) : .null,
                        "samples": .object(snapshot.samples.mapValues { .number($0) }),
                        "events": .array(snapshot.events),
                    ]
                    return (snapshot.device.name, value)
                }, uniquingKeysWith: { first, _ in first }))
    }
}
