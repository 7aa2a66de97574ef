import EventLog
import Foundation
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

    @Test("Events below the level are not made")
    func level() {
        let count = Mutex(0)
        let counted: @Sendable (LogRecord) -> Void = { _ in count.withLock { $0 += 1 } }
        Logger(service: "host", minimumLevel: .notice, sink: counted).log(.quizStored)
        #expect(count.withLock { $0 } == 0)
        Logger(service: "host", minimumLevel: .info, sink: counted).log(.quizStored)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("Each event has its own text, in small letters")
    func catalogue() {
        #expect(Set(LogEvent.allCases.map(\.rawValue)).count == LogEvent.allCases.count)
        for event in LogEvent.allCases {
            #expect(event.rawValue.allSatisfy { $0.isLowercase || $0 == " " }, "\(event)")
        }
    }

    @Test("A full log file is put aside and a new one begun")
    func rotation() throws {
        let scratch = try Scratch()
        let path = scratch.path("host.log")
        try Data(repeating: 0x20, count: LogFile.maximumBytes - 1).write(to: URL(filePath: path))
        let file = try LogFile(path: path, format: .json)
        file.write(LogRecord(time: Date(), service: "test", event: .ready, fields: []))
        file.write(LogRecord(time: Date(), service: "test", event: .stopped, fields: []))
        #expect(FileManager.default.fileExists(atPath: path + ".1"))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines[0].contains("stopped"))
    }
}
