import Foundation
import ServiceRuntime

/// The format of the demo's lines.
enum DemoOutput {
    /// Prints a line of a service's log; with JSON output, on standard error.
    static func log(_ line: String, asJSON: Bool) {
        if asJSON {
            FileHandle.standardError.write(Data((line + "\n").utf8))
        } else {
            StandardOutput.report(line)
        }
    }

    /// Returns the prefix of a service's lines, in colour if the terminal supports it.
    static func label(_ service: String) -> String {
        LinePrefix.text(service, width: 9, service == "host" ? .blue : .green)
    }
}
