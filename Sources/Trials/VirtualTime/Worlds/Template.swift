import CVirtualTime
import Glibc

/// A process that was forked before anything happened, and that forks one world per course.
// Proof of `@unchecked Sendable`: `Worlds` lends each template to one thread at a time.
final class Template: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { virtual_time_template_close(handle) }

    /// Runs one world until it ends or exceeds its real-time limit.
    func run(_ course: Course, _ settings: WorldSettings, limit: Duration) throws(WorldsError) -> Outcome {
        let given = course.rawDecisions
        var settings = settings.settings(for: course)
        var status: Int32 = 0
        let start = ContinuousClock.now
        let milliseconds = UInt32(clamping: limit.milliseconds)
        guard let record = virtual_time_template_run(handle, &settings, given, given.count, milliseconds, &status)
        else {
            throw .system("run a world with seed \(course.seed)", code: errno)
        }
        if let text = Ending.crowding(record) { throw .crowdedOut(text) }
        let isOverdue = milliseconds > 0 && ContinuousClock.now - start >= limit
        return Outcome(
            of: course, record: record, ending: Ending(record: record, status: status, isOverdue: isOverdue))
    }
}

extension Duration {
    /// Whole milliseconds, clamped to the range of the type.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000_000_000
    }
}
