package import Foundation

/// A marked moment on a life line.
package struct TimelineMark: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case fault
        case start
        case stop
        /// The process started again without having stopped.
        case crash
        case trouble
        /// An event in which a replay departs from its recording.
        case difference
        /// The first of them that matters.
        case parting

        /// True for what a reader looks for: faults, crashes, trouble and differences.
        var isFault: Bool {
            switch self {
            case .fault, .crash, .trouble, .difference, .parting: true
            case .start, .stop: false
            }
        }
    }

    package let kind: Kind
    package var life: TimelineOwner
    package let time: Date
    package let note: String
}
