import Foundation
import Locking
import TestSupport
import Testing

@testable import WatchLinkTesting

/// Programs of the shell in place of devices.
@Suite("Starts of processes", .serialized)
struct ProcessStartTests {
    private static let shell = URL(filePath: "/bin/sh")
    /// What a session says when it is activated, and waits.
    private static let activation = "echo 'control listening'; echo 'session activated'"
    private static let waiting = "\(activation); exec sleep 600"

    private static func pair(phone: String, watch: String) throws -> ProcessPair {
        try ProcessPair(phone: shell, arguments: ["-c", phone], watch: shell, arguments: ["-c", watch])
    }

    @Test("A program whose home cannot be made is not started")
    func homeless() throws {
        let scratch = try Scratch()
        // No directory can be below a file.
        let file = URL(filePath: try scratch.write("file", ""))
        let device = DeviceProcess(
            .host, executable: Self.shell, arguments: ["-c", Self.waiting], environment: [:], in: file,
            signal: ChangeSignal())
        #expect(throws: (any Error).self) { try device.begin() }
        #expect(device.hasEnded)
    }

    @Test("Telling a program something after its end is an error, which ends no test")
    func toldTooLate() async throws {
        let pair = try Self.pair(phone: "exec <&-; \(Self.activation); exec sleep 600", watch: Self.waiting)
        try await pair.phone.start()
        pair.phone.kill()
        try await pair.waitUntil("the phone has ended") { pair.phone.hasEnded }
        #expect(throws: (any Error).self) { try pair.phone.tell("hello") }
    }

    @Test("A pair of which one ends at once has not started")
    func endsAtOnce() async throws {
        let cases = [("exit 1", Self.waiting, "the host"), (Self.waiting, "exit 1", "the companion")]
        for (phone, watch, name) in cases {
            let pair = try Self.pair(phone: phone, watch: watch)
            let failure = try await #require(throws: DeviceProcess.Failure.self) { try await pair.start() }
            #expect(failure.description == "\(name) ended immediately")
            pair.phone.kill()
            pair.watch.kill()
        }
    }

    @Test("A pair has started when both of its devices reach each other")
    func reachable() async throws {
        let script = "\(Self.activation); read line; echo reachable=true; exec sleep 600"
        let pair = try Self.pair(phone: script, watch: script)
        let isStarted = Mutex(false)
        let start = Task {
            try await pair.start()
            isStarted.withLock { $0 = true }
        }
        for process in [pair.phone, pair.watch] {
            try await pair.waitUntil("its session is activated") { process.lines.contains("session activated") }
        }
        try pair.phone.tell("go on")
        try await pair.waitUntil("the phone reaches the watch") { pair.phone.lines.contains("reachable=true") }
        for _ in 1...100 { await Task.yield() }
        let isEarly = isStarted.withLock { $0 }
        #expect(!isEarly)
        try pair.watch.tell("go on")
        try await start.value
        #expect(pair.watch.lines.contains("reachable=true"))
        pair.phone.kill()
        pair.watch.kill()
    }

    @Test("A restarted program does not meet its former process")
    func restarted() async throws {
        let script = """
            [ -f "$HOME/number" ] && kill -0 "$(cat "$HOME/number")" 2> /dev/null && echo both
            echo $$ > "$HOME/number"; \(Self.waiting)
            """
        let pair = try Self.pair(phone: script, watch: script)
        try await pair.phone.start()
        try await pair.phone.restart()
        #expect(pair.phone.lines == ["control listening", "session activated"])
        pair.phone.kill()
    }
}
