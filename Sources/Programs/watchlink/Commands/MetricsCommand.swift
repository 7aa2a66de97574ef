import Configuration
import ControlSocket
import Foundation
import Processes
import ServiceRuntime

/// What a service has measured since its start.
enum MetricsCommand: Command {
    static let name = "metrics"
    static let summary = "what a service has measured, for Prometheus"
    static let forms = [
        CommandForm(
            "metrics [SIDE]",
            "Prometheus text: messages, latencies, queues, commits, faults; of the host if none is named")
    ]
    static let examples = [
        CommandForm("metrics companion", "the watch's"),
        CommandForm("metrics host | grep reply_seconds", "how long replies took"),
    ]
    static let vocabulary = CommandOptions.sides

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let side = try invocation.onlySide(name)
        let client = try invocation.device(side)
        let text: String
        do throws(ControlClient.Failure) {
            text = try client.call("metrics").string ?? ""
        } catch {
            throw CommandError(error, service: side)
        }
        if invocation.wantsJSON {
            try StandardOutput.print(
                JSONValue.object(ServiceSnapshot.samples(text).mapValues { .number($0) }).text(pretty: true))
        } else {
            try StandardOutput.print(text, terminator: "")
        }
        return .success
    }
}
