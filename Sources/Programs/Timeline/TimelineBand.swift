package import Foundation

/// A period on a life line.
package struct TimelineBand: Sendable, Equatable {
    package enum Kind: String, CaseIterable, Sendable {
        /// The process was running.
        case running
        /// The counterpart was reachable.
        case reachable
        /// The link was conditioned to be imperfect.
        case condition
    }

    package let kind: Kind
    package var life: TimelineOwner
    /// On the phone's line, the watch that was reachable or whose link was conditioned; nil for all.
    package var counterpart: String?
    package var start: Date
    /// The end; nil if the log ends earlier.
    package var end: Date?
    /// A note for the reader: the condition, or how the process ended.
    package var note: String
}
