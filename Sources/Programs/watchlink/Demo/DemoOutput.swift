import Foundation
import ServiceRuntime

/// How the demo's lines look.
enum DemoOutput {
    /// A line of a service's log: beside the result, where that is for a program.
    static func log(_ line: String, asJSON: Bool) {
        if asJSON {
            FileHandle.standardError.write(Data((line + "\n").utf8))
        } else {
            StandardOutput.report(line)
        }
    }

    /// What stands before a service's lines; in colour on a terminal that may have it.
    static func label(_ service: String) -> String {
        let text = service + String(repeating: " ", count: 9 - service.count) + " │ "
        return Terminal.coloured(text, as: service == "host" ? .blue : .green)
    }
}
