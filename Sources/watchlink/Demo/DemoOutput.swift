import Foundation
import Glibc
import Locking

/// The demo's lines: from several threads, each whole, in the order in which they come.
enum DemoOutput {
    private static let lock = Mutex(())

    static func print(_ line: String) {
        lock.withLock { _ in
            Swift.print(line)
            fflush(nil)
        }
    }

    /// What stands before a service's lines; in colour on a terminal that may have it.
    static func label(_ service: String) -> String {
        let text = service + String(repeating: " ", count: 9 - service.count) + " │ "
        let environment = ProcessInfo.processInfo.environment
        let isPlain =
            isatty(STDOUT_FILENO) == 0 || environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
        guard !isPlain else { return text }
        return "\u{1B}[\(service == "host" ? 34 : 32)m\(text)\u{1B}[0m"
    }
}
