import EventLog
import Foundation
import LinkProtocol
import Testing

@testable import Timeline

@Suite("Timeline")
struct TimelineTests {
    private static let quiz = UUID()
    private static let start = Date(timeIntervalSince1970: 1_795_000_000.25)

    private func record(
        _ seconds: Double, _ service: String, _ event: LogEvent, _ fields: [LogField] = []
    ) -> LogRecord {
        LogRecord(time: Self.start.addingTimeInterval(seconds), service: service, event: event, fields: fields)
    }

    private func timeline(_ records: [LogRecord], _ format: LogFormat = .text) -> Timeline {
        var builder = TimelineBuilder()
        for event in records.compactMap({ LogLine.parse(format.line($0)) }) { builder.add(event) }
        return builder.timeline()
    }

    /// Start, a quiz that needs two tries, a crash of the host, an end.
    private var story: [LogRecord] {
        let id = LogField.package(Self.quiz)
        return [
            record(0, "host", .starting, [.version("1")]), record(0.1, "companion", .starting, [.version("1")]),
            record(0.2, "companion", .reachabilityChanged, [.reachable(true)]),
            record(1, "companion", .quizAccepted, [id, .bytes(856)]),
            record(1.01, "companion", .quizSent, [id, .attempt(1)]),
            record(1.02, "companion", .faultInjected, [id, .fault("drop out message")]),
            record(1.2, "host", .acceptFailed, [.reason("no descriptors")]),
            record(31, "companion", .quizRetryScheduled, [id, .reason("a \"long\" silence")]),
            record(32, "companion", .quizSent, [id, .attempt(2)]),
            record(32.1, "host", .quizReceived, [id]), record(32.2, "host", .quizStored, [id]),
            record(32.3, "companion", .quizReplied, [id]),
            record(40, "host", .starting, [.version("1")]), record(41, "host", .stopped),
            record(42, "companion", .stopped),
        ]
    }

    @Test("Every event is read back from both forms of the log", arguments: [LogFormat.text, .json])
    func roundTrip(_ format: LogFormat) throws {
        for event in LogEvent.allCases {
            let fields: [LogField] = [.package(Self.quiz), .reason("two words, a \"quote\" and k=v"), .bytes(7)]
            let line = format.line(record(0, "host", event, fields))
            let read = try #require(LogLine.parse(line), "\(line)")
            #expect(read.event == event)
            #expect(read.side == .host)
            #expect(abs(read.time.timeIntervalSince(Self.start)) < 0.000_002)
            #expect(
                read.fields == [
                    "package": Self.quiz.uuidString, "reason": "two words, a \"quote\" and k=v", "bytes": "7",
                ])
        }
    }

    @Test(
        "What is no line of a log is passed over",
        arguments: ["", "{", "{}", "hello", "2026-11-21T04:24:35.337122Z info host", "[3] nothing", "{\"time\":3}"])
    func noise(_ line: String) { #expect(LogLine.parse(line) == nil) }

    @Test("Dates are Foundation's, over leap days and centuries")
    func dates() throws {
        for text in ["1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2026-11-21T04:24:35Z", "2100-03-01T00:00:00Z"] {
            #expect(LogLine.date(text) == (try Date(text, strategy: .iso8601)))
        }
        #expect(LogLine.date("2026-11-21T04:24:35.5Z") == (try Date("2026-11-21T04:24:35Z", strategy: .iso8601)) + 0.5)
        #expect(LogLine.date("2026-13-21T04:24:35Z") == nil)
    }

    @Test("A quiz is one package: its tries, its answer, its fault and its end")
    func package() throws {
        let timeline = timeline(story)
        let package = try #require(timeline.packages.first)
        #expect(timeline.packages.count == 1)
        #expect(package.kind == "quiz")
        #expect(package.origin == .companion)
        #expect(package.status == .replied)
        #expect(package.bytes == 856)
        #expect(package.attempts == 2)
        #expect(package.faults == ["drop out message"])
        #expect(package.arrows.map(\.meaning) == [.out, .out, .answer])
        #expect(package.arrows[0].arrived == nil)
        #expect(package.arrows[1].arrived.map { $0.timeIntervalSince(Self.start).rounded() } == 32)
        #expect(package.arrows[2].from == .host)
    }

    @Test("An answer that got lost ends in the middle; the repeat's is the one that arrives")
    func lostAnswer() throws {
        let id = LogField.package(Self.quiz)
        let timeline = timeline([
            record(0, "companion", .quizSent, [id]), record(0.1, "host", .quizReceived, [id]),
            record(0.2, "host", .quizStored, [id]),
            record(0.3, "host", .faultInjected, [id, .fault("drop out reply")]),
            record(1, "companion", .quizSent, [id]), record(1.1, "host", .quizReceived, [id]),
            record(1.2, "host", .quizRepeated, [id]), record(1.3, "companion", .quizReplied, [id]),
        ])
        let answers = try #require(timeline.packages.first).arrows.filter { $0.meaning == .answer }
        #expect(answers.count == 2)
        #expect(answers[0].arrived == nil)
        #expect(answers[1].arrived.map { ($0.timeIntervalSince(Self.start) * 10).rounded() } == 13)
    }

    @Test("A process that began again without an end crashed; its life ends with its last word")
    func crash() throws {
        let timeline = timeline(story, .json)
        let lives = timeline.bands.filter { $0.kind == .running && $0.side == .host }
        #expect(lives.count == 2)
        let end = try #require(lives.first?.end)
        #expect(abs(end.timeIntervalSince(Self.start) - 32.2) < 0.001)
        #expect(timeline.marks.filter { $0.kind == .crash }.map(\.side) == [.host])
        #expect(timeline.marks.filter { $0.kind == .trouble }.map(\.note) == ["accept failed no descriptors"])
        let reach = timeline.bands.filter { $0.kind == .reachable }
        #expect(reach.map(\.side) == [.companion])
    }

    @Test("Ledgers alone make a timeline, and add nothing twice to a log's")
    func ledgers() throws {
        var out = LedgerEntry(
            identifier: Self.quiz, direction: .outgoing, kind: .data, device: nil, bytes: 900, state: .queued)
        var inward = LedgerEntry(
            identifier: Self.quiz, direction: .incoming, kind: .data, device: nil, bytes: 900, state: .received)
        out.become(.sent, at: Self.start)
        inward.become(.received, at: Self.start + 0.1)
        inward.become(.replied, at: Self.start + 0.2)
        out.become(.replied, at: Self.start + 0.3)
        var builder = TimelineBuilder()
        builder.add(out, of: .companion)
        builder.add(inward, of: .host)
        let package = try #require(builder.timeline().packages.first)
        #expect(package.status == .replied)
        #expect(package.arrows.map(\.left) == [Self.start, Self.start + 0.2])
        #expect(package.arrows.map(\.arrived) == [Self.start + 0.1, Self.start + 0.3])

        var both = TimelineBuilder()
        for event in story.compactMap({ LogLine.parse(LogFormat.text.line($0)) }) { both.add(event) }
        both.add(out, of: .companion)
        both.add(inward, of: .host)
        #expect(both.timeline().packages.map(\.arrows.count) == [3])
    }

    @Test("The picture is one well-formed document that needs nothing else, whatever the log says")
    func drawing() throws {
        var records = story
        records.append(
            record(43, "host", .messageFailed, [.package(UUID()), .reason("<script>alert(1)</script> & \u{1} \"x\"")]))
        let timeline = timeline(records)
        let svg = TimelineDrawing(timeline).svg(isDocument: true)
        let page = TimelinePage.html(timeline)
        #expect(!svg.contains("<script"))
        #expect(page.components(separatedBy: "<script").count == 2)
        for text in [svg, page] {
            #expect(!text.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "").contains("://"))
            #expect(text.contains("aria-label="))
            #expect(text.contains("prefers-color-scheme: dark"))
        }
        // Every element is closed: a count of what opens and what ends.
        let opened = svg.matches(of: /<([a-z]+)[^>]*[^\/]>/).count
        let closed = svg.matches(of: /<\/[a-z]+>/).count
        #expect(opened == closed)
    }

    @Test("Time never runs backwards on the picture, a burst is spread and a night is short")
    func scale() {
        let moments = [0, 0.000_1, 0.000_2, 5, 40_000, 40_000.5].map { Self.start + $0 }
        let scale = TimelineScale(moments.shuffled())
        let places = moments.map(scale.y)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
        #expect(places[1] - places[0] >= 4)
        #expect(scale.height < 200)
        #expect(scale.gaps.count == 2)
    }
}
