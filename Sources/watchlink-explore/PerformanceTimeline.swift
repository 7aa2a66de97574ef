import Foundation
import ServiceRuntime
import Timeline
import VirtualTime

/// A performance as a picture, made of the logs that its devices wrote on standard error.
struct PerformanceTimeline {
    private let performance: Performance

    init(_ performance: Performance) { self.performance = performance }

    func write(to path: String) throws {
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
        guard timeline.span != nil else { throw TimelineError(path: path) }
        try Data(TimelinePage.html(timeline).utf8).write(to: URL(filePath: path), options: .atomic)
    }
}
