import Foundation
import Processes
import Timeline
import WatchLinkTesting

/// The timeline of a pair of devices, drawn from their lines and ledgers.
enum DevicesTimeline {
    /// Returns a page in HTML; nil if the devices did nothing.
    static func page(_ devices: [DeviceEvidence]) throws -> String? {
        var builder = TimelineBuilder()
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let logs = try devices.map { device in
            let file = scratch.url.appending(path: device.name)
            try Data(device.lines.map { $0 + "\n" }.joined().utf8).write(to: file)
            return LogReader([file.path(percentEncoded: false)], watch: device.name)
        }
        var events = try LogMerge(logs)
        while let event = try events.next() { builder.add(event) }
        for device in devices {
            // A ledger that cannot be read is part of the report's text; the lines are still drawn.
            guard case .success(let entries) = device.ledger else { continue }
            for entry in entries {
                builder.add(entry, of: device.role == .host ? .host : .companion, watch: device.name)
            }
        }
        let timeline = builder.timeline()
        return timeline.span == nil ? nil : TimelinePage.html(timeline)
    }
}

/// Called by `WatchLinkTesting` if the program contains it.
@_cdecl("watchlink_test_timeline")
func giveTestTimeline() { LinkedTimeline.give(DevicesTimeline.page) }
