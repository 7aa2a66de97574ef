package import Foundation
package import LinkProtocol

/// The time of an event, by both clocks of a device: one for deadlines, one for people.
package struct Moment: Sendable {
    package let time: MonotonicTime
    package let date: Date

    package init(_ time: MonotonicTime, _ date: Date) {
        self.time = time
        self.date = date
    }
}
