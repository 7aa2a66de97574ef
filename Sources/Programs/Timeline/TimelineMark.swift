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

        /// True for faults, crashes and trouble.
        var isFault: Bool { self == .fault || self == .crash || self == .trouble }
    }

    package let kind: Kind
    package var life: TimelineOwner
    package let time: Date
    package let note: String
}
