import EventLog
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Writing the log")
struct LogWriterTests {
    private func record(_ event: LogEvent) -> LogRecord {
        LogRecord(time: Date(), service: "test", event: event, fields: [])
    }

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("A full log file is put aside and a new one begun; only so many are kept")
    func rotation() throws {
        let scratch = try Scratch()
        let path = scratch.path("host.log")
        let file = try LogFile(path: path, maximumBytes: 10, keptFiles: 2)
        for letter in ["a", "b", "c", "d"] { file.write(String(repeating: letter, count: 9)) }
        file.write("e")
        let current = try lines(path)
        #expect(current == ["e"])
        let first = try lines(path + ".1")
        #expect(first == ["ddddddddd"])
        let second = try lines(path + ".2")
        #expect(second == ["ccccccccc"])
        #expect(!FileManager.default.fileExists(atPath: path + ".3"))
    }

    @Test("A file that another program put aside is opened anew")
    func reopening() throws {
        let scratch = try Scratch()
        let path = scratch.path("host.log")
        let nowhere = open("/dev/null", O_WRONLY)
        let writer = LogWriter(
            service: "test", consoleFormat: .text, console: nowhere, file: try LogFile(path: path), fileFormat: .json)
        writer.write(record(.ready))
        writer.flush()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        writer.reopen()
        writer.write(record(.stopping))
        writer.flush()
        let old = try lines(path + ".old")
        #expect(old.count == 1, "\(old)")
        let new = try lines(path)
        #expect(new.map { $0.contains("log reopened") || $0.contains("stopping") } == [true, true], "\(new)")
    }

    /// Reads a datagram of the journal's own protocol.
    private func fields(_ entry: JournalEntry) -> [String: String] {
        var fields: [String: String] = [:]
        var rest = entry.bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if let mark = line.firstIndex(of: UInt8(ascii: "=")) {
                fields[String(decoding: line[..<mark], as: UTF8.self)] = String(
                    decoding: line[(mark + 1)...], as: UTF8.self)
            } else {
                let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(8)
                fields[String(decoding: line, as: UTF8.self)] = String(decoding: rest.prefix(count), as: UTF8.self)
                rest = rest.dropFirst(count + 1)
            }
        }
        return fields
    }

    @Test(
        "The journal gets each field apart, and no value can forge another; what it does not take goes to the console")
    func journal() throws {
        let scratch = try Scratch()
        let path = scratch.path("console")
        let console = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(console) }
        let entries = Collector<JournalEntry>()
        let writer = LogWriter(
            service: "test", consoleFormat: .journal, console: console,
            journal: { entry in
                guard entries.all.isEmpty else { throw POSIXError(.ECONNREFUSED) }
                entries.add(entry)
            })
        let reason = "two\nPRIORITY=0\nlines"
        writer.write(
            LogRecord(
                time: Date(), service: "test", event: .ready, fields: [.reason(reason), .count(7), .reachable(true)]))
        writer.write(record(.stopping))
        writer.flush()
        let sent = fields(try #require(entries.all.first))
        #expect(sent["MESSAGE"] == #"ready reason="two\nPRIORITY=0\nlines" count=7 reachable=true"#)
        #expect(sent["PRIORITY"] == "\(LogEvent.ready.level.rawValue)")
        #expect(sent["WATCHLINK_EVENT"] == "ready")
        #expect(sent["WATCHLINK_SERVICE"] == "test")
        #expect(sent["WATCHLINK_SUBSYSTEM"] == LogEvent.ready.subsystem.name)
        #expect(sent["WATCHLINK_REASON"] == reason)
        #expect(sent["WATCHLINK_COUNT"] == "7")
        #expect(sent["WATCHLINK_REACHABLE"] == "true")
        #expect(sent["SYSLOG_IDENTIFIER"]?.isEmpty == false)
        #expect(sent.count == 9)
        let shown = try lines(path)
        #expect(shown == ["<\(LogEvent.stopping.level.rawValue)>stopping"])
    }

    @Test("A reader that does not read costs lines and no time; how many is said")
    func dropping() throws {
        // As in the services: who reads no more is no reason to end.
        signal(SIGPIPE, SIG_IGN)
        let scratch = try Scratch()
        let path = scratch.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        // A reader that does not read: the pipe fills, and the writing thread waits.
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        #expect(reader >= 0)
        let writer = LogWriter(service: "test", consoleFormat: .json, console: open(path, O_WRONLY))
        let total = LogWriter.maximumWaiting * 3
        for _ in 0..<total { writer.write(record(.ready)) }
        // Now it reads, all of it.
        #expect(fcntl(reader, F_SETFL, 0) == 0)
        let accounted = Collector<(written: Int, dropped: Int)>()
        let thread = Thread {
            let handle = FileHandle(fileDescriptor: reader, closeOnDealloc: true)
            var (rest, written, dropped) = (Data(), 0, 0)
            while written + dropped < total, case let data = handle.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                    rest = Data(rest[(end + 1)...])
                    guard line.contains("log lines dropped") else {
                        written += 1
                        continue
                    }
                    dropped += line.split(separator: ":").last.flatMap { Int($0.dropLast()) } ?? 0
                }
            }
            accounted.add((written, dropped))
        }
        thread.start()
        accounted.expect { !$0.isEmpty }
        let (written, dropped) = try #require(accounted.all.first)
        #expect(dropped > 0)
        #expect(written + dropped == total)
    }
}
