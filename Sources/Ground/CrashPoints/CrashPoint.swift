import Glibc
import Locking

/// Places in the code where a crash is worth a test: between two steps that a crash must not tear apart.
///
/// A process that is started with `WATCHLINK_CRASH_AT=transfer-kept:3` ends itself with SIGKILL when it passes that place
/// for the third time. In all others passing costs a look at a constant. Each module declares its own, as static members.
package struct CrashPoint: Hashable, Sendable {
    package let name: String

    package init(_ name: String) { self.name = name }

    package static let variable = "WATCHLINK_CRASH_AT"

    /// The one place that this process is to die at, and how often it is passed before.
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
