package import EventLog
package import Foundation

/// One line of a log, as the timeline takes it.
package struct TimelineEvent: Sendable, Equatable {
    package let time: Date
    package let side: TimelineSide
    package let event: LogEvent
    package let fields: [String: String]

    package init(time: Date, side: TimelineSide, event: LogEvent, fields: [String: String]) {
        self.time = time
        self.side = side
        self.event = event
        self.fields = fields
    }
}
