import Foundation
import ServiceRuntime

/// Which quizzes a host keeps; all of them unless the configuration says otherwise.
struct Retention: Equatable, Sendable {
    /// How often quizzes are removed that are too old or too many. 10 minutes: a limit in days needs no more.
    static let period: Duration = .seconds(600)

    /// Days since the arrival; 0 for ever.
    var days = 0
    /// The latest so many; 0 for all.
    var count = 0

    init() {}

    init(_ section: ConfigurationFile) throws {
        days = try section.count("keepDays", within: 0...36_500) ?? 0
        count = try section.count("keepCount", within: 0...1_000_000_000) ?? 0
    }

    var isLimited: Bool { days > 0 || count > 0 }

    /// What arrived before this is removed; nil if age does not matter.
    func oldest(at time: Date) -> Date? { days > 0 ? time.addingTimeInterval(-Double(days) * 86_400) : nil }
}
