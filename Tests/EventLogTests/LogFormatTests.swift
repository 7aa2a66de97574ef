import EventLog
import Foundation
import Glibc
import Locking
import TestSupport
import Testing

@Suite("Log lines")
struct LogFormatTests {
    static let identifier = UUID()
    static let record = LogRecord(
        time: Date(timeIntervalSince1970: 1_763_700_000.25), service: "host", event: .quizStored,
        fields: [.package(identifier), .sequence(7), .reason("two words, a \"quote\"\nand a line"), .reachable(true)])

    @Test("Text is one line: time, level, service, event, fields")
    func text() {
        let line = LogFormat.text.line(Self.record)
        #expect(
            line == "2025-11-21T04:40:00.250000Z info      host: quiz stored package=\(Self.identifier) sequence=7 "
                + #"reason="two words, a \"quote\"\nand a line" reachable=true"#)
    }

    @Test("JSON is one object that any parser reads")
    func json() throws {
        let line = LogFormat.json.line(Self.record)
        #expect(!line.contains("\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["event"] as? String == "quiz stored")
        #expect(object["level"] as? String == "info")
        #expect(object["sequence"] as? Int == 7)
        #expect(object["reason"] as? String == "two words, a \"quote\"\nand a line")
    }

    @Test("No value can forge a line or move the terminal", arguments: ["\n", "\r", "\u{1B}[2J", "\u{7F}", "\u{9B}"])
    func control(_ character: String) {
        let record = LogRecord(time: Date(), service: "host", event: .ready, fields: [.reason("a\(character)b")])
        for format in LogFormat.allCases { #expect(!format.line(record).contains(character)) }
    }

    @Test("Microseconds round up into the next second")
    func rounding() {
        #expect(LogFormat.timestamp(Date(timeIntervalSince1970: 9.999_999_9)) == "1970-01-01T00:00:10.000000Z")
    }

    @Test(
        "A time reads as Foundation writes it", arguments: [-86_400 * 365, 0, 951_782_399, 951_782_400, 4_102_444_799])
    func timestamp(_ seconds: Int) {
        let whole = Date(timeIntervalSince1970: TimeInterval(seconds))
        #expect(LogFormat.timestamp(whole) == whole.formatted(.iso8601).dropLast() + ".000000Z")
        #expect(LogFormat.timestamp(whole + 0.25) == whole.formatted(.iso8601).dropLast() + ".250000Z")
    }

    @Test(
        "A time span has microseconds, as printf writes it",
        arguments: [
            0, 0.25, 0.000_000_4, 0.000_000_6, 0.999_999_6, 59.000_001, -1.5, -0.000_001, 3_599.123_456, 2e12, 1e300,
        ])
    func span(_ seconds: Double) {
        let record = LogRecord(time: Date(), service: "host", event: .ready, fields: [.duration(seconds)])
        let line = LogFormat.text.line(record)
        #expect(line.hasSuffix(" duration=" + String(format: "%.6f", seconds)), "\(line)")
    }

    @Test(
        "A time before the year 1000 has four digits of year, one after 9999 more",
        arguments: [-40_000_000_000, 253_402_300_800])
    func distantYears(_ seconds: Int) {
        let year = seconds < 0 ? "0702" : "10000"
        #expect(LogFormat.timestamp(Date(timeIntervalSince1970: TimeInterval(seconds))).hasPrefix(year + "-"))
    }

    @Test("Events below the level are not made")
    func level() {
        let count = Mutex(0)
        let counted: @Sendable (LogRecord) -> Void = { _ in count.withLock { $0 += 1 } }
        Logger(service: "host", minimumLevel: .notice, sink: counted).log(.quizStored)
        #expect(count.withLock { $0 } == 0)
        Logger(service: "host", minimumLevel: .info, sink: counted).log(.quizStored)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("A terminal's line is aligned and coloured, the journal's has a priority and no time")
    func forms() {
        let terminal = LogFormat.terminal.line(Self.record)
        #expect(
            terminal.hasPrefix("\u{1B}[2m04:40:00.250000\u{1B}[0m \u{1B}[32minfo     \u{1B}[0m host      quiz stored"))
        #expect(LogFormat.journal.line(Self.record).hasPrefix("<6>quiz stored package="))
        var pipe: [Int32] = [0, 0]
        #expect(Glibc.pipe(&pipe) == 0)
        defer { for descriptor in pipe { close(descriptor) } }
        var status = stat()
        #expect(fstat(pipe[1], &status) == 0)
        let stream = "\(status.st_dev):\(status.st_ino)"
        #expect(LogFormat.suited(to: pipe[1], environment: ["JOURNAL_STREAM": stream]) == .journal)
        #expect(LogFormat.suited(to: pipe[1], environment: ["JOURNAL_STREAM": "1:2"]) == .text)
    }

    @Test("Each subsystem has a level of its own, and the others keep theirs")
    func subsystems() {
        let levels = LogLevels(.info)
        levels.set(.debug, for: .link)
        #expect(levels[.link] == .debug)
        let others = [LogSubsystem.service, .session, .quizzes].map { levels[$0] }
        #expect(others == [.info, .info, .info])
        let count = Mutex(0)
        let logger = Logger(service: "host", levels: levels) { _ in count.withLock { $0 += 1 } }
        logger.log(.packageIn)
        logger.log(.messageSent)
        #expect(count.withLock { $0 } == 1)
        levels.set(.warning)
        logger.log(.packageIn)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("Only the latest events are kept, and each is told once")
    func recent() {
        let recent = RecentEvents()
        for number in 0..<(RecentEvents.capacity + 10) {
            recent.add(LogRecord(time: Date(), service: "test", event: .ready, fields: [.count(number)]))
        }
        let (records, count) = recent.after(0)
        #expect(records.map(\.fields) == (10..<(RecentEvents.capacity + 10)).map { [.count($0)] })
        #expect(recent.after(count - 1).records.count == 1)
        #expect(recent.after(count).records.isEmpty)
    }
}
