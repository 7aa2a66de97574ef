import Glibc
import Locking

/// Places in the code where a crash is worth a test: between two steps that a crash must not tear apart.
///
/// A process that is started with `WATCHLINK_CRASH_AT=quiz-committed:3` ends itself with SIGKILL when it passes that place
/// for the third time. In all others passing costs a look at a constant.
package enum CrashPoint: String, CaseIterable, Sendable {
    case messageReceived = "message-received"
    case quizDecoded = "quiz-decoded"
    case quizCommitted = "quiz-committed"
    case quizReplied = "quiz-replied"
    case quizAccepted = "quiz-accepted"
    case acknowledgementReceived = "acknowledgement-received"
    case endRecorded = "end-recorded"
    case transferQueued = "transfer-queued"
    case transferKept = "transfer-kept"
    case fileChunkWritten = "file-chunk-written"
    case fileFinished = "file-finished"
    /// Inside a transaction, before its commit.
    case committing
    /// Inside the transaction that brings a database's schema up to date.
    case migrating
    /// The log has been put aside, and there is no new one.
    case logRotating = "log-rotating"
    /// The copy that is to be put into a database's place is whole.
    case restoreCopied = "restore-copied"
    /// The mark names it as the one that may come.
    case restoreMarked = "restore-marked"
    /// The former database has its second name.
    case restoreLinked = "restore-linked"
    /// The copy has the database's name.
    case restoreReplaced = "restore-replaced"

    package static let variable = "WATCHLINK_CRASH_AT"

    /// The one place that this process is to die at, and how often it is passed before.
    private static let armed: (point: CrashPoint, count: Int)? = {
        guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
        let parts = text.split(separator: ":")
        guard let point = parts.first.flatMap({ CrashPoint(rawValue: String($0)) }) else { return nil }
        return (point, parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
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
