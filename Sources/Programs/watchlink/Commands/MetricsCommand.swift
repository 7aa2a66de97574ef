import Configuration
import ControlSocket
import Foundation
import Processes
import ServiceRuntime

/// Prints the metrics of a service since its start.
enum MetricsCommand: Command {
    static let name = "metrics"
    static let summary = "print a service's metrics for Prometheus"
    static let forms = [
        CommandForm(
            "metrics [SIDE]",
            "print messages, latencies, queues, commits and faults as Prometheus text; by default of the host")
    ]
    static let examples = [
        CommandForm("metrics companion", "print the watch's metrics"),
        CommandForm("metrics host | grep reply_seconds", "show how long replies took"),
    ]
    static let vocabulary = CommandOptions.names

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let device = try invocation.onlyDevice(name)
        let client = try invocation.client(of: device)
        let text: String
        do throws(ControlClient.Failure) {
            text = try client.call("metrics").string ?? ""
        } catch {
            throw CommandError(error, of: device)
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
