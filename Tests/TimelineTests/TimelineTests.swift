import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import QuizSync
import Services
import Testing
import WatchConnectivity

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

    private func timeline(
        _ records: [LogRecord], _ format: LogFormat = .text, since: Double? = nil, watch: String = ""
    ) -> Timeline {
        var builder = TimelineBuilder(since: since.map { Self.start + $0 })
        for event in records.compactMap({ parse(format.line($0), watch: watch) }) { builder.add(event) }
        return builder.timeline()
    }

    private func parse(_ line: String, watch: String = "") -> TimelineEvent? {
        Array(line.utf8).withUnsafeBytes { LogLine.parse($0, watch: watch) }
    }

    private func seconds(_ time: Date?) -> Double? {
        time.map { ($0.timeIntervalSince(Self.start) * 1_000).rounded() / 1_000 }
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
        for event in LogCatalogue.events {
            let fields: [LogField] = [.package(Self.quiz), .reason("two words, a \"quote\" and k=v"), .bytes(7)]
            let line = format.line(record(0, "host", event, fields))
            let read = try #require(parse(line), "\(line)")
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
    func noise(_ line: String) { #expect(parse(line) == nil) }

    @Test("Dates are Foundation's, over leap days and centuries")
    func dates() throws {
        for text in ["1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2026-11-21T04:24:35Z", "2100-03-01T00:00:00Z"] {
            let date = try Date(text, strategy: .iso8601)
            #expect(LogLine.date(text) == date)
        }
        let second = try Date("2026-11-21T04:24:35Z", strategy: .iso8601)
        #expect(LogLine.date("2026-11-21T04:24:35.5Z") == second + 0.5)
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
        let lives = timeline.bands.filter { $0.kind == .running && $0.life.side == .host }
        #expect(lives.count == 2)
        let end = try #require(lives.first?.end)
        #expect(abs(end.timeIntervalSince(Self.start) - 32.2) < 0.001)
        #expect(timeline.marks.filter { $0.kind == .crash }.map(\.life.side) == [.host])
        #expect(timeline.marks.filter { $0.kind == .trouble }.map(\.note) == ["accept failed no descriptors"])
        let reach = timeline.bands.filter { $0.kind == .reachable }
        #expect(reach.map(\.life.side) == [.companion])
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
        for event in story.compactMap({ parse(LogFormat.text.line($0)) }) { both.add(event) }
        both.add(out, of: .companion)
        both.add(inward, of: .host)
        #expect(both.timeline().packages.map(\.arrows.count) == [3])
    }

    /// A quiz whose first answer gets lost, as both ledgers have it.
    private var retried: (out: LedgerEntry, inward: LedgerEntry) {
        var out = LedgerEntry(
            identifier: Self.quiz, direction: .outgoing, kind: .data, device: nil, bytes: 9, state: .queued)
        var inward = LedgerEntry(
            identifier: Self.quiz, direction: .incoming, kind: .data, device: nil, bytes: 9, state: .received)
        out.become(.sent, at: Self.start)
        inward.become(.received, at: Self.start + 0.1)
        inward.become(.replied, at: Self.start + 0.2)
        out.become(.sent, at: Self.start + 30)
        inward.become(.received, at: Self.start + 30.1, related: Self.quiz)
        out.become(.replied, at: Self.start + 30.3)
        return (out, inward)
    }

    @Test(
        "Ledgers of several tries do not say which answer arrived: the first is not drawn as arrived half a minute late"
    )
    func ledgersOfRetries() throws {
        for order in [[0, 1], [1, 0]] {
            var builder = TimelineBuilder()
            for which in order {
                which == 0
                    ? builder.add(retried.out, of: .companion) : builder.add(retried.inward, of: .host)
            }
            let package = try #require(builder.timeline().packages.first)
            let answers = package.arrows.filter { $0.meaning == .answer }
            #expect(answers.map { seconds($0.left) } == [0.2, nil])
            #expect(answers.map { seconds($0.arrived) } == [nil, 30.3])
            #expect(package.status == .replied)
            #expect(package.attempts == 2)
        }
    }

    @Test("A ledger does not let an answer arrive that the logs say got lost")
    func ledgerAfterLog() throws {
        let id = LogField.package(Self.quiz)
        let records = [
            record(0, "companion", .quizSent, [id]), record(0.1, "host", .quizReceived, [id]),
            record(0.2, "host", .quizStored, [id]), record(30, "companion", .quizSent, [id]),
            record(30.1, "host", .quizReceived, [id]), record(30.2, "host", .quizRepeated, [id]),
            record(30.3, "companion", .quizReplied, [id]),
        ]
        var builder = TimelineBuilder()
        for event in records.compactMap({ parse(LogFormat.text.line($0)) }) { builder.add(event) }
        builder.add(retried.out, of: .companion)
        builder.add(retried.inward, of: .host)
        let answers = try #require(builder.timeline().packages.first).arrows.filter { $0.meaning == .answer }
        #expect(answers.map { seconds($0.arrived) } == [nil, 30.3])
    }

    @Test("An answer that was lost, one that came too late, and one that refused are three things")
    func lostLateRefused() throws {
        let id = LogField.package(Self.quiz)
        let sent = [
            record(0, "companion", .messageSent, [id]), record(0.1, "host", .messageReceived, [id]),
        ]
        func answer(_ records: [LogRecord]) throws -> TimelinePackage.Arrow {
            let package = try #require(timeline(sent + records).packages.first)
            #expect(package.status == .failed)
            return try #require(package.arrows.first { $0.meaning == .answer })
        }
        let replied = record(0.2, "host", .messageReplied, [id, .status("Replied")])
        let failed = record(30, "companion", .messageFailed, [id, .reason("timed out")])
        let lost = try answer([replied, failed])
        #expect(lost.arrived == nil)
        #expect(!lost.isLate)
        let late = try answer([replied, failed, record(31, "companion", .replyTooLate, [id])])
        #expect(seconds(late.arrived) == 31.0)
        #expect(late.isLate)
        let refused = try answer([
            record(0.2, "host", .messageReplied, [id, .status("Failed")]),
            record(0.3, "companion", .messageFailed, [id, .reason("no")]),
        ])
        #expect(seconds(refused.arrived) == 0.3)
        #expect(!refused.isLate)
        // The phone's own word that its reply came too late means that nothing left.
        let unsent = timeline(sent + [record(40, "host", .replyTooLate, [id]), failed])
        #expect(unsent.packages.first?.arrows.count { $0.meaning == .answer } == 0)
        let page = TimelinePage.html(timeline(sent + [replied, failed, record(31, "companion", .replyTooLate, [id])]))
        #expect(page.contains("<line class=\"late\""))
        #expect(page.contains("when nothing waited for it"))
    }

    @Test("From a time on: what ran before is there, and a crash after it, and no package that was over")
    func since() throws {
        let timeline = timeline(story, since: 35)
        #expect(timeline.packages.isEmpty)
        let lives = timeline.bands.filter { $0.kind == .running }
        #expect(lives.filter { $0.life.side == .companion }.map { seconds($0.start) } == [35])
        #expect(lives.filter { $0.life.side == .companion }.map { seconds($0.end) } == [42])
        #expect(lives.filter { $0.life.side == .host }.map { seconds($0.start) } == [40])
        let earlier = self.timeline(story, since: 32.15)
        // The quiz was under way, and the host crashed.
        #expect(earlier.packages.map(\.attempts) == [2])
        #expect(earlier.marks.filter { $0.kind == .crash }.map { seconds($0.time) } == [32.2])
        #expect(earlier.bands.filter { $0.life.side == .host }.map { seconds($0.start) } == [32.15, 40])
    }

    @Test("A process whose start is in no file any more ran from its first line on")
    func cutLog() {
        let timeline = timeline(Array(story.dropFirst(2)))
        let lives = timeline.bands.filter { $0.kind == .running && $0.life.side == .companion }
        #expect(lives.map { seconds($0.start) } == [0.2])
        #expect(lives.map(\.note) == ["was running before its log begins, stopped"])
    }

    @Test("Each watch has a life line; its log is told from others by a message that the phone names it for")
    func watches() throws {
        let (left, right) = (UUID(), UUID())
        var builder = TimelineBuilder()
        let ids = [UUID(), UUID(), UUID()]
        func add(_ record: LogRecord, _ watch: String = "") throws {
            builder.add(try #require(parse(LogFormat.text.line(record), watch: watch)))
        }
        try add(record(0, "host", .starting))
        try add(record(0.1, "companion", .starting), "/a/companion")
        try add(record(0.2, "companion", .starting), right.uuidString)
        try add(record(0.3, "host", .reachabilityChanged, [.device(left), .reachable(true)]))
        try add(record(0.4, "host", .reachabilityChanged, [.device(right), .reachable(true)]))
        try add(record(1, "companion", .quizSent, [.package(ids[0])]), "/a/companion")
        try add(record(1.1, "host", .quizReceived, [.package(ids[0]), .device(left)]))
        try add(record(2, "companion", .quizSent, [.package(ids[1])]), right.uuidString)
        try add(record(3, "host", .messageSent, [.package(ids[2]), .device(left)]))
        try add(record(4, "host", .reachabilityChanged, [.device(left), .reachable(false)]))
        let timeline = builder.timeline()
        #expect(timeline.watches == [left.uuidString, right.uuidString])
        #expect(timeline.packages.map(\.watch) == [left, right, left].map(\.uuidString))
        let reach = timeline.bands.filter { $0.kind == .reachable }
        #expect(reach.map(\.counterpart) == [left.uuidString, right.uuidString])
        #expect(reach.map { seconds($0.end) } == [4, nil])
        let lanes = TimelineLanes(timeline.watches)
        #expect(Set(lanes.names.map(\.x)).count == 3)
        #expect(lanes.names.map(\.text).last == "host (phone)")
        let svg = TimelineDrawing(timeline).svg(isDocument: true)
        #expect(svg.components(separatedBy: "class=\"life\"").count == 4)
    }

    @Test("Of more packages than can be drawn the oldest that are over make room, and their number is said")
    func capacity() {
        var builder = TimelineBuilder(capacity: 100)
        let ids = (0..<250).map { _ in UUID() }
        for (number, id) in ids.enumerated() {
            for (delay, service, event) in [(0.0, "companion", LogEvent.quizSent), (0.1, "host", .quizReceived)] {
                builder.add(parse(LogFormat.text.line(record(Double(number) + delay, service, event, [.package(id)])))!)
            }
            // The first is never answered.
            guard number > 0 else { continue }
            builder.add(
                parse(LogFormat.text.line(record(Double(number) + 0.3, "companion", .quizReplied, [.package(id)])))!)
        }
        // What a ledger says of one that was let go does not bring it back.
        var entry = LedgerEntry(
            identifier: ids[5], direction: .outgoing, kind: .data, device: nil, bytes: 9, state: .queued)
        entry.become(.sent, at: Self.start)
        builder.add(entry, of: .companion)
        let timeline = builder.timeline()
        #expect(timeline.packages.count == 100)
        #expect(timeline.omitted == 150)
        #expect(timeline.packages.first?.identifier == ids[0].uuidString)
        #expect(timeline.packages.last?.identifier == ids[249].uuidString)
        #expect(TimelinePage.html(timeline).contains("150 earlier ones omitted"))
    }

    @Test("The strip counts each package once, and shows one failure among ten thousand")
    func overview() throws {
        var builder = TimelineBuilder()
        for number in 0..<10_000 {
            let id = LogField.package(UUID())
            let time = Double(number) / 100
            builder.add(parse(LogFormat.text.line(record(time, "companion", .quizSent, [id])))!)
            let end = number == 7_777 ? LogEvent.quizFailed : .quizReplied
            builder.add(parse(LogFormat.text.line(record(time + 0.001, "companion", end, [id])))!)
        }
        let overview = TimelineDrawing(builder.timeline()).overview
        #expect(overview.all.count == TimelineOverview.parts)
        #expect(overview.all.reduce(0) { $0 + $1.packages } == 10_000)
        #expect(overview.all.reduce(0) { $0 + $1.failed } == 1)
        // It lies where it is in the picture.
        let place = try #require(overview.all.firstIndex { $0.failed == 1 })
        #expect(abs(Double(place) / Double(TimelineOverview.parts) - 0.7777) < 0.02)
        #expect(overview.svg().components(separatedBy: "class=\"bad\"").count == 2)
    }

    @Test("Logs are read a block at a time and merged by time; lines of any length and other programs' are passed over")
    func reading() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wl-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: folder.appending(path: name))
            return folder.appending(path: name).path(percentEncoded: false)
        }
        func lines(_ times: StrideTo<Double>, _ service: String) -> String {
            times.map { LogFormat.text.line(record($0, service, .quizSent, [.package(UUID())])) + "\n" }.joined()
        }
        let old = try write("host.log.1", lines(stride(from: 0, to: 4_000, by: 2), "host"))
        let long = String(repeating: "x", count: 3_000_000) + "\n"
        let last = LogFormat.text.line(record(9_000, "host", .stopped))
        let new = try write(
            "host.log", lines(stride(from: 4_000, to: 5_000, by: 2), "host") + long + "\n noise \n" + last)
        let other = try write("companion.log", lines(stride(from: 1, to: 5_000, by: 2), "companion") + long)
        var merge = try LogMerge([LogReader([old, new], watch: ""), LogReader([other], watch: "")])
        var times: [Double] = []
        while let event = try merge.next() { times.append(try #require(seconds(event.time))) }
        #expect(times == (0..<5_000).map(Double.init) + [9_000])
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
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(places)")
        #expect(places[1] - places[0] >= 4)
        #expect(scale.height < 200)
        #expect(scale.gaps.count == 2)
    }
}
