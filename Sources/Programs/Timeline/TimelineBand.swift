package import Foundation

/// A stretch of a life line.
package struct TimelineBand: Sendable, Equatable {
    package enum Kind: String, CaseIterable, Sendable {
        /// The process ran.
        case running
        /// The counterpart could be reached.
        case reachable
        /// The link was other than perfect, on demand.
        case condition
    }

    package let kind: Kind
    package var life: TimelineLife
    /// On the phone's line: which watch could be reached, or had such a link. Nil for all.
    package var counterpart: String?
    package var start: Date
    /// Nil if the log ends before.
    package var end: Date?
    /// What a person reads: the condition's words, or how it ended.
    package var note: String
}
