import Foundation
import Processes
import Timeline
package import VirtualTime

/// A performance as a picture, made of the logs that its devices wrote on standard error.
package struct PerformanceTimeline {
    private let performance: Performance

    package init(_ performance: Performance) { self.performance = performance }

    /// The picture as a page; nil if no device wrote a line of a log.
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
