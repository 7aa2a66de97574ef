import Foundation
import Locking
import TestSupport
import Testing

@testable import WatchLinkTesting

@Suite("The report of a failed wait", .serialized)
struct WaitReportTests {
    private let phoneApp = RecordingDelegate()
    private let watchApp = RecordingDelegate()

    @Test("It names the wait, the unfinished entries of the ledgers, the last lines, and a file with the timeline")
    func simulated() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.phone.session.transferUserInfo(["score": 1])
        try await pair.expect(.userInfo, from: .phone)
        pair.setLinkUp(false)
        pair.watch.session.transferUserInfo(["score": 3])
        let error = try await #require(throws: WaitTimeout.self) {
            try await pair.waitUntil("the score has arrived", within: .milliseconds(50)) { false }
        }
        let text = error.description
        #expect(text.hasPrefix("WaitReportTests.swift:"), "\(text)")
        #expect(text.contains("“the score has arrived” did not happen within 0.05 seconds.\nThe ledgers:\n"), "\(text)")
        let open = error.ledger.filter { $0.contains("watch → user info ") && $0.contains(": queued, ") }
        #expect(open.count == 1, "\(text)")
        for name in ["phone", "watch"] { #expect(text.contains("The last lines of the \(name):\n    2"), "\(text)") }
        // What has arrived is counted, not told.
        #expect(error.ledger.contains("watch: and 1 more"), "\(text)")
        #expect(error.log.contains { $0.contains("transfer queued") }, "\(text)")
        #expect(error.log.filter { $0.contains(" debug ") } == [])
        let path = try #require(error.timeline)
        #expect(text.hasSuffix("The timeline: \(path)"), "\(text)")
        let page = try String(contentsOfFile: path, encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        let identifier = try #require(try pair.watch.ledger().last { $0.state == .queued }).identifier.uuidString
        let isDrawn = page.contains(identifier)
        #expect(isDrawn)
    }

    @Test("It tells what processes said and hold, and that a dead one's ledger cannot be read")
    func processes() async throws {
        let pair = try ProcessPair(phone: "DeviceProgram", watch: "DeviceProgram")
        try await pair.start()
        pair.phone.kill()
        try pair.watch.tell("info 5")
        try await pair.expect(.userInfo, from: .watch, .queued)
        let error = try await #require(throws: WaitTimeout.self) {
            try await pair.waitUntil("it has arrived", within: .milliseconds(50)) { false }
        }
        #expect(error.ledger.contains { $0.hasPrefix("phone: the ledger cannot be read: no service listens") })
        #expect(error.ledger.contains { $0.hasPrefix("watch → user info ") }, "\(error)")
        #expect(error.log.contains { $0.hasPrefix("did activate") }, "\(error)")
        let page = try String(contentsOfFile: try #require(error.timeline), encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>"))
    }

    @Test("A start that fails tells what the program said")
    func start() async throws {
        let pair = try ProcessPair(phone: "DeviceProgram", watch: "DeviceProgram")
        #expect(pair.phone.evidence.tellingLines == [])
        try pair.phone.begin()
        try await pair.waitUntil("it runs") { pair.phone.lines.contains { $0.hasPrefix("did activate") } }
        #expect(pair.phone.evidence.tellingLines.contains { $0.contains("session activated") })
    }

    @Test("Of a long log the last twelve lines are told, of a long ledger the last six entries")
    func long() {
        let entries = (1...9).map { number in
            LedgerEntry(
                identifier: UUID(), direction: .incoming, kind: .context, device: nil, bytes: Int64(number),
                state: .delivered)
        }
        let evidence = DeviceEvidence(
            name: "phone", role: .host, lines: (1...30).map { "line \($0)" }, ledger: .success(entries))
        #expect(evidence.tellingLines == (19...30).map { "line \($0)" })
        let told = evidence.tellingEntries
        #expect(told.count == 7)
        #expect(told.first?.hasSuffix(": delivered, 4 bytes") == true, "\(told)")
        #expect(told.last == "phone: and 3 more")
    }

    /// Returns the entries of a device's ledger as a report tells them, each without its identifier.
    private static func told(_ states: [LedgerEntry.State], attempts: Int = 0) -> [String] {
        let entries = states.map { state in
            var entry = LedgerEntry(
                identifier: UUID(), direction: .outgoing, kind: .message, device: nil, bytes: 7, state: state)
            entry.attempts = attempts
            return entry
        }
        return DeviceEvidence(name: "watch", role: .companion, lines: [], ledger: .success(entries)).tellingEntries
            .map { $0.replacing(#/message \w+: /#, with: "") }
    }

    @Test("Entries that have not ended well are told in place of the others, which are counted if there are any")
    func open() {
        #expect(Self.told([]) == ["watch: nothing was sent or received"])
        let open = Self.told([.delivered, .sent, .replied, .failed])
        #expect(open == ["watch → sent, 7 bytes", "watch → failed, 7 bytes", "watch: and 2 more"])
        #expect(Self.told([.delivered, .replied]) == ["watch → delivered, 7 bytes", "watch → replied, 7 bytes"])
        #expect(Self.told([.sent], attempts: 1) == ["watch → sent, 7 bytes"])
        #expect(Self.told([.sent], attempts: 2) == ["watch → sent, 7 bytes, 2 attempts"])
    }

    @Test("Of a log, the lines for debugging are not told; a program's own lines are, whatever their words")
    func debugging() {
        let time = "2026-01-02T03:04:05Z"
        let own = ["", "debug", "debug debug", "loading debug symbols", "\(time) debug", "\(time) info a=1 debug"]
        let evidence = DeviceEvidence(
            name: "watch", role: .companion, lines: own + ["\(time) debug companion: sent"], ledger: .success([]))
        #expect(evidence.tellingLines == own)
    }

    @Test("A timeline that cannot be written is told with the reason")
    func unwritten() async throws {
        // A directory is where the file would be.
        let folder = ProcessInfo.processInfo.environment["WATCHLINK_FINDINGS"].map { URL(filePath: $0) }
        let place = (folder ?? TestPrograms.directory.appending(path: "failed-waits"))
            .appending(path: "Unwritten.swift-7.html")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        let error = try await #require(throws: WaitTimeout.self) {
            try await pair.waitUntil("never", within: .milliseconds(20), fileID: "Tests/Unwritten.swift", line: 7) {
                false
            }
        }
        #expect(error.timeline?.hasPrefix("none, because of an error: ") == true, "\(error)")
    }

    @Test("An entry's line has its attempts and its cause")
    func entry() {
        var entry = LedgerEntry(
            identifier: UUID(), direction: .outgoing, kind: .message, device: nil, bytes: 7, state: .failed)
        entry.attempts = 2
        entry.cause = "no reply"
        let line = entry.line(of: "watch")
        let name = entry.identifier.uuidString.prefix(8)
        #expect(line == "watch → message \(name): failed, 7 bytes, 2 attempts (no reply)")
    }

    @Test("Under Swift Testing the timeline is attached to the test, and the text is in the JUnit report")
    func swiftTesting() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("attached"), withIntermediateDirectories: true)
        let output = try InnerTests.run(
            named: "waitsInVain",
            ["--attachments-path", scratch.path("attached"), "--xunit-output", scratch.path("x")],
            ["WATCHLINK_FINDINGS": scratch.path("files")])
        let attached = try FileManager.default.contentsOfDirectory(atPath: scratch.path("attached"))
        #expect(attached.count == 1, "\(output)")
        #expect(attached.first?.hasPrefix("InnerTests.swift-") == true, "\(attached)")
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("files"))
        #expect(files == attached)
        let report = try String(contentsOfFile: scratch.path("x"), encoding: .utf8)
        for part in ["the score has arrived", "watch → user info", "transfer queued", "/files/InnerTests.swift-"] {
            let isThere = Self.decoded(report).contains(part)
            #expect(isThere, "\(part): \(report)")
        }
        // Told once.
        let failures = report.components(separatedBy: "<failure").count - 1
        #expect(failures == 1)
    }

    @Test("Under XCTest the text is the failure's, with the path of the timeline")
    func xctest() throws {
        let scratch = try Scratch()
        let output = try InnerTests.run(
            ["WatchLinkTestingTests.InnerCase/testWaitsInVain"], ["WATCHLINK_FINDINGS": scratch.path("files")])
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("files"))
        #expect(files.count == 1, "\(output)")
        for part in ["“the score has arrived” did not happen", "watch → user info", scratch.path("files/InnerTests")] {
            let isThere = output.contains(part)
            #expect(isThere, "\(part): \(output)")
        }
        let failures = output.components(separatedBy: "error: InnerCase.testWaitsInVain").count - 1
        #expect(failures == 1)
    }

    /// Returns a text without XML's numbered characters.
    private static func decoded(_ text: String) -> String {
        text.replacing(/&#(\d+);/) { match in
            UInt32(match.1).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
    }
}
