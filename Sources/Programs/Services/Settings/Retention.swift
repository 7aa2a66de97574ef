import Configuration
import Foundation
import RecordStorage

/// The rule for which quizzes a host keeps; all of them by default.
///
/// A wrong clock must not remove quizzes. Their age therefore counts from the newest arrival as well as from the clock,
/// and a run that would remove many because of their age holds all of them back until an operator confirms.
struct Retention: Equatable, Sendable {
    /// The interval between runs. 10 minutes: enough for a limit in days.
    static let period: Duration = .seconds(600)
    /// The seconds by which the clock is trusted ahead of the newest arrival. A day: quizzes are daily.
    static let believedSeconds: TimeInterval = 24 * 60 * 60
    /// One in this many quizzes may be removed because of its age in one run. 10: a host that runs daily stays far
    /// below it; one that finds more was off for long, got a lower limit, or has a wrong clock.
    static let share = 10

    /// The days that a quiz is kept after its arrival; 0 for no limit.
    var days = 0
    /// The number of latest quizzes that are kept; 0 for all.
    var count = 0

    /// The result of one run's check of ages.
    struct Plan: Equatable, Sendable {
        /// Quizzes that arrived before this time are removed; nil for none.
        var oldest: Date?
        /// The number of quizzes that are too old by the clock and are kept until an operator confirms their removal.
        var heldBack = 0
    }

    init() {}

    init(_ section: ConfigurationFile) throws {
        days = try section.count("keepDays", within: 0...36_500) ?? 0
        count = try section.count("keepCount", within: 0...1_000_000_000) ?? 0
    }

    var isLimited: Bool { days > 0 || count > 0 }

    /// Plans one run.
    ///
    /// - Parameters:
    ///   - ages: Counts the quizzes that arrived before a time.
    ///   - isConfirmed: True if an operator confirmed that the clock is right.
    func plan(
        at now: Date, isConfirmed: Bool, ages: (Date) throws(StoreError) -> RecordAges
    ) throws(StoreError) -> Plan {
        guard days > 0 else { return Plan() }
        let limit = oldest(at: now)
        let byClock = try ages(limit)
        guard let newest = byClock.newest, byClock.older > 0 else { return Plan() }
        guard !isConfirmed else { return Plan(oldest: limit) }
        let believed = oldest(at: min(now, newest.addingTimeInterval(Self.believedSeconds)))
        let removed = believed == limit ? byClock.older : try ages(believed).older
        guard removed <= max(1, byClock.total / Self.share) else { return Plan(heldBack: byClock.older) }
        return Plan(oldest: removed > 0 ? believed : nil, heldBack: byClock.older - removed)
    }

    private func oldest(at time: Date) -> Date { time.addingTimeInterval(-Double(days) * 86_400) }
}
