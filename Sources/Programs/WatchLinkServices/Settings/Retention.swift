import Configuration
import Foundation
import QuizStorage
import Storage

/// Which quizzes a host keeps; all of them unless the configuration says otherwise.
///
/// A clock that is wrong must not remove quizzes. So their age counts from the newest arrival as well as from the clock, and a run
/// that would remove many for their age holds all of them back until a person has confirmed it.
struct Retention: Equatable, Sendable {
    /// How often quizzes are removed that are too old or too many. 10 minutes: a limit in days needs no more.
    static let period: Duration = .seconds(600)
    /// How far the clock is believed when it is ahead of the newest arrival. A day: quizzes are daily.
    static let believedSeconds: TimeInterval = 24 * 60 * 60
    /// One of so many quizzes may be removed for its age in one run. 10: a host that removes each day what is too old is far below
    /// it; one that finds more has stood still for long, was told to keep less, or has a wrong clock.
    static let share = 10

    /// Days since the arrival; 0 for ever.
    var days = 0
    /// The latest so many; 0 for all.
    var count = 0

    /// What one run does about the quizzes' age.
    struct Plan: Equatable, Sendable {
        /// What arrived before this is removed; nil for nothing.
        var oldest: Date?
        /// Quizzes that are too old by the clock and stay until a person has confirmed that they go.
        var heldBack = 0
    }

    init() {}

    init(_ section: ConfigurationFile) throws {
        days = try section.count("keepDays", within: 0...36_500) ?? 0
        count = try section.count("keepCount", within: 0...1_000_000_000) ?? 0
    }

    var isLimited: Bool { days > 0 || count > 0 }

    /// - Parameters:
    ///   - ages: Counts the quizzes that arrived before a time.
    ///   - isConfirmed: Whether a person says that the clock is right.
    func plan(
        at now: Date, isConfirmed: Bool, ages: (Date) throws(DatabaseError) -> QuizAges
    ) throws(DatabaseError) -> Plan {
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
