package import EventLog
package import Foundation

/// One log line as the timeline needs it.
package struct TimelineEvent: Sendable, Equatable {
    package let time: Date
    package let side: TimelineSide
    /// The watch: for a watch's line the one whose log it is, for the phone's line the one it names. See
    /// ``TimelineOwner/watch``.
    package let watch: String?
    package let event: LogEvent
    package let fields: [String: String]

    package init(time: Date, side: TimelineSide, watch: String?, event: LogEvent, fields: [String: String]) {
        self.time = time
        self.side = side
        self.watch = watch
        self.event = event
        self.fields = fields
    }

    /// On the phone's line, the watch that it concerns; nil for all.
    var counterpart: String? { side == .host ? watch : nil }

    /// The life line of the process that wrote it.
    var life: TimelineOwner { TimelineOwner(side, side == .companion ? watch ?? "" : nil) }
}
