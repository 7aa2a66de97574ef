import Cassettes
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import SessionStorage
import Storage
import Timeline
import Words

/// Draws a timeline of logs and ledgers.
enum TimelineCommand: Command {
    static let name = "timeline"
    static let summary = "draw what happened"
    static let forms = [
        CommandForm(
            "timeline [LOG|LEDGER|DIR|CASSETTE…]",
            "draw logs, ledgers (session.sqlite), state directories, your own devices' directories, or a cassette, as HTML"
        )
    ]
    static let options = [
        OptionDefinition(
            "since", placeholder: "TIME", help: "start at this time: 2026-11-20T18:30:00Z, or 90s, 10min, 2h ago"),
        OptionDefinition("until", placeholder: "TIME", help: "end at this time"),
        OptionDefinition("format", placeholder: "FORMAT", help: "html or svg; default html"),
    ]
    static let examples = [
        CommandForm("timeline > timeline.html", "draw the state directory"),
        CommandForm("timeline host.log companion.log --since 10min > timeline.html", "draw two logs"),
        CommandForm("timeline phone watch-1 watch-2 > timeline.html", "draw the directories of three devices"),
        CommandForm("timeline cassettes/phone-1 > timeline.html", "draw a recording"),
        CommandForm("timeline --format svg > timeline.svg", "draw only the picture"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let since = try invocation.options["since"].map { try time($0, "since") }
        let until = try invocation.options["until"].map { try time($0, "until") }
        let paths = invocation.words.isEmpty ? [invocation.state.path] : invocation.words
        if let cassette = paths.first(where: Cassette.exists) {
            guard paths.count == 1, since == nil, until == nil else {
                throw UsageError("\(cassette) is a cassette: it is drawn whole, and alone")
            }
            return try draw(try CassetteDrawing.timeline(of: cassette), invocation.options)
        }
        let input = try TimelineInput(paths)
        guard !input.paths.isEmpty else {
            throw CommandError("no logs or ledgers found in \(paths.joined(separator: ", "))")
        }
        var builder = TimelineBuilder(since: since)
        try add(input.logs, to: &builder, until)
        for ledger in input.ledgers { try add(ledger, to: &builder, until) }
        let timeline = builder.timeline()
        guard timeline.span != nil else {
            let range = since == nil && until == nil ? "" : " in that time"
            throw CommandError(
                "no events of a service's log or ledger found in \(input.paths.joined(separator: ", "))\(range)")
        }
        return try draw(timeline, invocation.options)
    }

    private static func draw(_ timeline: Timeline, _ options: ParsedOptions) throws -> ExitCode {
        switch options["format"] ?? "html" {
        case "html": try StandardOutput.print(TimelinePage.html(timeline), terminator: "")
        case "svg": try StandardOutput.print(TimelineDrawing(timeline).svg(isDocument: true), terminator: "")
        case let other: throw UsageError("--format \(other): it must be html or svg")
        }
        return .success
    }

    private static func time(_ text: String, _ option: String) throws(UsageError) -> Date {
        if let span = WordValue.span(text) { return Date().addingTimeInterval(-(span / .seconds(1))) }
        // A text that is not a time is reported below.
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw UsageError("--\(option) \(text): it must be a time like 2026-11-20T18:30:00Z or a span like 10min")
        }
        return date
    }

    private static func add(_ logs: [LogReader], to builder: inout TimelineBuilder, _ until: Date?) throws {
        let progress = ProgressLine("lines")
        defer { progress.finish() }
        do {
            var events = try LogMerge(logs)
            while let event = try events.next() {
                if let until, event.time > until { return }
                builder.add(event)
                progress.update(events.lines)
            }
        } catch {
            throw CommandError("cannot read a log: \((error as NSError).localizedDescription)")
        }
    }

    private static func add(_ ledger: TimelineInput.Ledger, to builder: inout TimelineBuilder, _ until: Date?) throws {
        var query = LedgerQuery()
        query.limit = TimelineBuilder.capacity
        do throws(DatabaseError) {
            for entry in try SessionStore(path: ledger.path).ledger(query) {
                let first = [entry.queuedAt, entry.sentAt, entry.receivedAt, entry.deliveredAt, entry.endedAt]
                    .compactMap(\.self).min()
                if let until, let first, first > until { continue }
                builder.add(entry, of: ledger.side, watch: ledger.watch)
            }
        } catch {
            throw CommandError("\(error)")
        }
    }
}
