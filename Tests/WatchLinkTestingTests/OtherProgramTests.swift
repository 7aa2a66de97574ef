import Foundation
import Testing
import WatchLinkTesting

/// Programs of the shell in place of devices: what is asked of a process does not depend on what it is.
@Suite("Processes of other programs", .serialized)
struct OtherProgramTests {
    private static func pair(_ script: String, environment: [String: String] = [:]) throws -> ProcessPair {
        let shell = URL(filePath: "/bin/sh")
        return try ProcessPair(
            phone: shell, arguments: ["-c", script], watch: shell, arguments: ["-c", script], environment: environment)
    }

    @Test("A program that ends at once was not started, and its exit code is known", arguments: [0, 1, 7] as [Int32])
    func endsAtOnce(_ code: Int32) async throws {
        let pair = try Self.pair("exit \(code)")
        let phone = pair.phone
        let failure = await #expect(throws: DeviceProcess.Failure.self) { try await phone.start() }
        #expect(failure?.description == "the host ended immediately")
        #expect(phone.hasEnded)
        #expect(phone.ending == .exit(code))
    }

    @Test("A program that is killed has ended by the signal; one that runs has not ended")
    func killed() async throws {
        let pair = try Self.pair("echo running; exec sleep 600")
        try pair.watch.begin()
        try await pair.waitUntil("it runs") { pair.watch.lines.contains("running") }
        #expect(!pair.watch.hasEnded)
        #expect(pair.watch.ending == nil)
        #expect(pair.phone.hasEnded)
        pair.watch.kill()
        try await pair.waitUntil("it is dead") { pair.watch.hasEnded }
        #expect(pair.watch.ending == .signal(SIGKILL))
    }

    @Test("A program that is stopped has ended when the stop returns; to stop it again does nothing")
    func stopped() async throws {
        let pair = try Self.pair("echo ready; exec sleep 600")
        try pair.phone.begin()
        try await pair.waitUntil("it is ready") { pair.phone.lines.contains("ready") }
        try pair.phone.stop()
        #expect(pair.phone.hasEnded)
        #expect(pair.phone.ending == .signal(SIGTERM))
        #expect(throws: Never.self) { try pair.phone.stop() }
    }

    @Test("A program is told lines, and what it says on both of its outputs is collected")
    func lines() async throws {
        let pair = try Self.pair("while read line; do echo \"out $line\"; echo \"err $line\" >&2; done")
        try pair.phone.begin()
        try pair.phone.tell("one")
        try pair.phone.tell("two")
        try await pair.waitUntil("it has answered") { pair.phone.lines.count >= 4 }
        let lines = pair.phone.lines
        let (outputs, errors) = (lines.filter { $0.hasPrefix("out ") }, lines.filter { $0.hasPrefix("err ") })
        #expect(outputs == ["out one", "out two"])
        #expect(errors == ["err one", "err two"])
        #expect(pair.watch.lines == [])
        pair.phone.kill()
    }

    @Test("Each program knows its role, and both the same socket; what the test sets has precedence")
    func environment() async throws {
        let script = """
            echo "role $WATCHLINK_ROLE"; echo "socket $WATCHLINK_SOCKET"; echo "state $WATCHLINK_DEVICE_STATE"
            echo "level $WATCHLINK_LOG_LEVEL"; echo "own $OWN"
            """
        let pair = try Self.pair(script, environment: ["OWN": "yes", "WATCHLINK_LOG_LEVEL": "warning"])
        for process in [pair.phone, pair.watch] {
            try process.begin()
            try await pair.waitUntil("it has told all") { process.lines.count == 5 && process.hasEnded }
        }
        let (phone, watch) = (pair.phone.lines, pair.watch.lines)
        #expect(phone[0] == "role host")
        #expect(watch[0] == "role companion")
        #expect(phone[1] == watch[1])
        #expect(phone[1].hasSuffix("/link"), "\(phone[1])")
        #expect(phone[2].hasSuffix("/phone/state"), "\(phone[2])")
        #expect(watch[2].hasSuffix("/watch/state"), "\(watch[2])")
        #expect(Array(phone[3...]) == ["level warning", "own yes"])
    }

    @Test("A program has started when its session is activated and it says that it can be controlled, or cannot")
    func started() async throws {
        for words in ["control listening", "control missing"] {
            let pair = try Self.pair("echo '\(words)'; echo 'session activated'; exec sleep 600")
            try await pair.phone.start()
            #expect(pair.phone.lines == [words, "session activated"])
            pair.phone.kill()
        }
    }

    @Test("A program that says that it can be controlled, but never activates its session, has not started")
    func neverActivated() async throws {
        let pair = try Self.pair("echo 'control listening'; read line; exit 4")
        async let start: Void = pair.phone.start()
        try await pair.waitUntil("it listens") { pair.phone.lines.contains("control listening") }
        try pair.phone.tell("end")
        do {
            try await start
            Issue.record("it counts as started")
        } catch let failure as DeviceProcess.Failure {
            #expect(failure.description == "the host ended immediately")
        }
        #expect(pair.phone.ending == .exit(4))
    }

    @Test("What is asked of a program that cannot be controlled is refused with what the program said about it")
    func uncontrolled() async throws {
        let pair = try Self.pair("echo 'control missing: no module'; exec sleep 600")
        try pair.watch.begin()
        try await pair.waitUntil("it has said so") { pair.watch.lines.count == 1 }
        let failure = try #require(throws: DeviceProcess.Failure.self) { try pair.watch.condition(LinkCondition()) }
        #expect(failure.description == "the companion cannot be controlled: control missing: no module")
        #expect(throws: DeviceProcess.Failure.self) { try pair.watch.switchTo(UUID()) }
        pair.watch.kill()
    }

    @Test("A restart kills the program, and starts it again")
    func restarted() async throws {
        let pair = try Self.pair("echo 'control listening'; echo 'session activated'; echo $$; exec sleep 600")
        try await pair.phone.start()
        try await pair.waitUntil("its number is there") { pair.phone.lines.count == 3 }
        let former = try #require(pair.phone.lines.last.flatMap { Int32($0) })
        try await pair.phone.restart()
        try await pair.waitUntil("its number is there") { pair.phone.lines.count == 3 }
        let present = try #require(pair.phone.lines.last.flatMap { Int32($0) })
        #expect(present != former)
        #expect(!pair.phone.hasEnded)
        pair.phone.kill()
    }
}
