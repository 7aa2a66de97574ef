import Foundation
import Glibc
import Locking
import ServiceRuntime

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
        return Terminal.coloured(text, as: service == "host" ? .blue : .green)
    }
}
