import Foundation
import Processes
import Timeline
package import VirtualTime

/// A timeline of a performance, drawn from the logs that its devices wrote to standard error.
package struct PerformanceTimeline {
    private let performance: Performance

    /// Creates a timeline.
    package init(_ performance: Performance) { self.performance = performance }

    /// Returns the timeline as an HTML page; nil if no device wrote a log line.
    package func html() throws -> String? {
        var builder = TimelineBuilder()
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        var logs: [LogReader] = []
        for name in Set(performance.processes.map(\.name)).sorted() {
            let file = scratch.url.appending(path: "\(name).log")
            let errors = performance.processes.filter { $0.name == name }.flatMap(\.errors)
            try Data(errors).write(to: file)
            logs.append(LogReader([file.path(percentEncoded: false)], watch: name))
        }
        var events = try LogMerge(logs)
        while let event = try events.next() { builder.add(event) }
        let timeline = builder.timeline()
        return timeline.span == nil ? nil : TimelinePage.html(timeline)
    }
}
