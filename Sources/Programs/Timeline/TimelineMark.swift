package import Foundation

/// A moment on a life line that is worth a sign.
package struct TimelineMark: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case fault
        case start
        case stop
        /// The process began again without having ended.
        case crash
        case trouble

        /// Whether it is one of the things that people look for.
        var isFault: Bool { self == .fault || self == .crash || self == .trouble }
    }

    package let kind: Kind
    package var life: TimelineLife
    package let time: Date
    package let note: String
}
