import Configuration
import ControlSocket
import DeviceControl
import Foundation
import Processes
import ServiceRuntime
import Words

/// Shows the state of each message, as one side recorded it.
enum LedgerCommand: Command {
    static let name = "ledger"
    static let summary = "show the state of each message, with its cause"
    static let forms = [
        CommandForm("ledger [SIDE]", "show the state of the latest messages, with the cause")
    ]
    static let options = [
        CommandOptions.control,
        OptionDefinition("follow", short: "f", help: "keep printing new entries"),
        OptionDefinition("limit", placeholder: "N", help: "number of latest messages; default 100"),
        message,
    ]
    private static let message = OptionDefinition("message", placeholder: "UUID", help: "only this message")
    static let examples = [
        CommandForm("ledger companion --follow", "follow the watch's messages"),
        CommandForm("ledger host --message 9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60", "show one message"),
    ]
    static let vocabulary = CommandOptions.names

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let device = try invocation.onlyDevice(name)
        guard let limit = Int(invocation.options["limit"] ?? "100"), (1...1_000).contains(limit) else {
            throw UsageError("--limit \(invocation.options["limit"] ?? ""): it must be a number from 1 to 1000")
        }
        let follows = invocation.options.has("follow")
        var question = LedgerQuestion()
        question.limit = limit
        question.identifier = try invocation.uuid(option: message)
        let client = try invocation.client(of: device, timeout: follows ? nil : .seconds(30))
        if !invocation.wantsJSON { try StandardOutput.print(header) }
        repeat {
            let entries: [JSONValue]
            do throws(ControlClient.Failure) {
                entries = try client.call(.ledger(question)).array ?? []
            } catch {
                throw CommandError(error, of: device)
            }
            for entry in entries { try StandardOutput.print(invocation.wantsJSON ? entry.text() : line(entry)) }
            try StandardOutput.flush()
            question.after = entries.last?["sequence"]?.integer ?? question.after
            question.waits = true
        } while follows
        return .success
    }

    private static let header = row("CHANGED", "WAY", "KIND", "BYTES", "STATE", "MESSAGE", "CAUSE")

    private static func line(_ entry: JSONValue) -> String {
        let times = ["endedAt", "deliveredAt", "receivedAt", "sentAt", "queuedAt"].compactMap { entry[$0]?.string }
        let related = entry["related"]?.string.map { " (\($0))" } ?? ""
        return row(
            times.max() ?? "", entry["direction"]?.string == "outgoing" ? "out" : "in", entry["kind"]?.string ?? "",
            "\(entry["bytes"]?.integer ?? 0)", entry["state"]?.string ?? "", entry["identifier"]?.string ?? "",
            TerminalText.printable(entry["cause"]?.string ?? "") + related)
    }

    private static func row(_ fields: String...) -> String {
        // Later entries are unknown: the widths are those of the longest possible values.
        let widths = [28, 4, 13, 10, 10, 37]
        let padded = zip(fields, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
        return (padded + fields.dropFirst(widths.count)).joined().trimmingCharacters(in: .whitespaces)
    }
}
