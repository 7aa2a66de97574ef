import Foundation
import LinkProtocol
import ServiceRuntime
import Storage
import Timeline

/// Draws what happened, from logs and ledgers.
enum TimelineCommand: Command {
    static let name = "timeline"
    static let summary = "what happened, as a picture"
    static let forms = [
        CommandForm(
            "timeline [LOG|LEDGER|DIR…]", "a picture of logs, ledgers (session.sqlite) or whole state directories; HTML"
        )
    ]
    static let options = [
        OptionDefinition(
            "since", placeholder: "TIME", help: "only from then on: 2026-11-20T18:30:00Z, or 90s, 10m, 2h ago"),
        OptionDefinition("format", placeholder: "FORMAT", help: "html or svg"),
    ]
    static let examples = [
        CommandForm("timeline > timeline.html", "of the state directory"),
        CommandForm("timeline host.log companion.log --since 10m > timeline.html", "of two logs"),
        CommandForm("timeline --format svg > timeline.svg", "a picture alone"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let since = try invocation.options["since"].map(time)
        let paths = invocation.words.isEmpty ? [invocation.state.path] : invocation.words
        let files = try paths.flatMap(files)
        guard !files.isEmpty else {
            throw CommandError("there are no logs or ledgers in \(paths.joined(separator: ", "))")
        }
        var events: [TimelineEvent] = []
        var builder = TimelineBuilder()
        var ledgers: [(LedgerEntry, TimelineSide)] = []
        for file in files {
            if let side = ledgerSide(file) {
                ledgers += try entries(file, since).map { ($0, side) }
            } else {
                events += try lines(file, since)
            }
        }
        for event in events.sorted(by: { $0.time < $1.time }) { builder.add(event) }
        for (entry, side) in ledgers { builder.add(entry, of: side) }
        let timeline = builder.timeline()
        guard timeline.span != nil else {
            throw CommandError("nothing in \(files.joined(separator: ", ")) is an event of a service’s log or ledger")
        }
        switch invocation.options["format"] ?? "html" {
        case "html": try StandardOutput.print(TimelinePage.html(timeline), terminator: "")
        case "svg": try StandardOutput.print(TimelineDrawing(timeline).svg(isDocument: true), terminator: "")
        case let other: throw UsageError("--format \(other): choose html or svg")
        }
        return .success
    }

    private static func time(_ text: String) throws(UsageError) -> Date {
        if let unit = text.last, let number = Double(text.dropLast()),
            let seconds = ["s": 1.0, "m": 60, "h": 3_600, "d": 86_400][String(unit)]
        {
            return Date().addingTimeInterval(-number * seconds)
        }
        // Whether it is a time is what is asked.
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw UsageError("--since: “\(text)” must be a time like 2026-11-20T18:30:00Z or a span like 10m")
        }
        return date
    }

    /// A file itself; of a directory the logs, old ones first, and the ledgers.
    private static func files(_ path: String) throws -> [String] {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw CommandError("\(path) does not exist")
        }
        guard isDirectory.boolValue else { return [path] }
        let names = CommandOptions.sides.flatMap { side in
            [3, 2, 1].map { "\(side).log.\($0)" } + ["\(side).log", "\(side)/session.sqlite"]
        }
        return names.map { path + "/" + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// A ledger lies in a directory that is named after its side.
    private static func ledgerSide(_ path: String) -> TimelineSide? {
        guard path.hasSuffix(".sqlite") else { return nil }
        let folder = URL(filePath: path).deletingLastPathComponent().lastPathComponent
        return folder.hasPrefix("host") || folder.hasSuffix(".host") ? .host : .companion
    }

    private static func entries(_ path: String, _ since: Date?) throws -> [LedgerEntry] {
        var query = LedgerQuery()
        query.limit = Int(Int32.max)
        do throws(DatabaseError) {
            let entries = try SessionStore(path: path).ledger(query)
            return entries.filter { entry in
                guard let since else { return true }
                let times = [entry.queuedAt, entry.sentAt, entry.receivedAt, entry.deliveredAt, entry.endedAt]
                return times.contains { $0.map { $0 >= since } ?? false }
            }
        } catch {
            throw CommandError("\(error)")
        }
    }

    private static func lines(_ path: String, _ since: Date?) throws -> [TimelineEvent] {
        let progress = ProgressLine("lines of \(path)")
        defer { progress.finish() }
        let text: String
        do {
            text = String(decoding: try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe), as: UTF8.self)
        } catch {
            throw CommandError("\(path) cannot be read: \((error as NSError).localizedDescription)")
        }
        var events: [TimelineEvent] = []
        for (number, line) in text.split(separator: "\n").enumerated() {
            if let event = LogLine.parse(line), since.map({ event.time >= $0 }) ?? true { events.append(event) }
            if number % 1_000 == 0 { progress.update(number) }
        }
        return events
    }
}
