import Glibc
import Locking

/// A point in the code where a crash is worth a test: between two steps that must stay consistent.
///
/// A process started with `WATCHLINK_CRASH_AT=transfer-kept:3` kills itself with SIGKILL when it passes that point for
/// the third time. In all other processes passing costs the check of a constant. Each module declares its crash points
/// as static members.
package struct CrashPoint: Hashable, Sendable {
    package let name: String

    package init(_ name: String) { self.name = name }

    package static let variable = "WATCHLINK_CRASH_AT"

    /// The point at which this process is to be killed, and the number of the pass.
    private static let armed: (point: CrashPoint, count: Int)? = {
        guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
        let parts = text.split(separator: ":")
        guard let name = parts.first else { return nil }
        return (CrashPoint(String(name)), parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
    }()
    private static let passed = Mutex(0)

    package func pass() {
        guard let armed = Self.armed, armed.point == self else { return }
        let count = Self.passed.withLock { passed in
            passed += 1
            return passed
        }
        if count == armed.count { kill(getpid(), SIGKILL) }
    }
}
