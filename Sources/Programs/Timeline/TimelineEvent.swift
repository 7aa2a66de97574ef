package import EventLog
package import Foundation

/// One line of a log, as the timeline takes it.
package struct TimelineEvent: Sendable, Equatable {
    package let time: Date
    package let side: TimelineSide
    /// Which watch: of a watch's own line the one whose log it is, of the phone's the one that the line names. See
    /// ``TimelineLife/watch``.
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

    /// On the phone's line: which watch it is about, if not all of them.
    var counterpart: String? { side == .host ? watch : nil }

    /// Whose life it tells of: the process's that wrote it.
    var life: TimelineLife { TimelineLife(side, side == .companion ? watch ?? "" : nil) }
}
