package import Foundation

/// A moment on a side's life line that is worth a sign.
package struct TimelineMark: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case fault
        case start
        case stop
        /// The process began again without having ended.
        case crash
        case trouble
    }

    package let kind: Kind
    package let side: TimelineSide
    package let time: Date
    package let note: String
}
