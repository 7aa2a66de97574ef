import Foundation
import TestSupport
import Testing
import WatchLinkTesting

/// A client of Apple's API as two real processes, killed and started again.
@Suite("Two processes", .serialized)
struct ProcessPairTests {
    private static func pair() throws -> ProcessPair {
        // The programs lie beside the tests.
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "DeviceProgram")
        return try ProcessPair(phone: program, watch: program)
    }

    private static func count(_ line: String, _ process: DeviceProcess) -> Int {
        process.lines.filter { $0 == line }.count
    }

    @Test("Messages, data and contexts both ways")
    func messages() async throws {
        let pair = try Self.pair()
        try await pair.start()
        for (sender, receiver) in [(pair.watch, pair.phone), (pair.phone, pair.watch)] {
            try sender.tell("message 1")
            try sender.tell("data 900")
            try sender.tell("context 2")
            try await pair.waitUntil("all has arrived and was replied to") {
                Set(["got message 1", "got data 900", "got context 2"]).isSubset(of: receiver.lines)
                    && Set(["got reply 1", "got reply of 900", "context 2"]).isSubset(of: sender.lines)
            }
        }
        let states = try pair.phone.ledger().filter { $0.kind == "message" }.map(\.state)
        #expect(states.filter { $0 != .replied } == [])
        // Asked again at each line: what the delegate was given counts as pending until that is written down.
        try await pair.waitUntil("the watch has nothing pending") {
            try pair.watch.tell("state")
            return pair.watch.lines.contains("state 2 true false 0 0 2 false false 0 true false false")
        }
        try await pair.waitUntil("the phone has nothing pending") {
            try pair.phone.tell("state")
            return pair.phone.lines.contains("state 2 true false 0 0 2 true true 0 false false true")
        }
        try pair.watch.tell("doubles")
        try await pair.waitUntil("clients' doubles work") { pair.watch.lines.contains("doubles true") }
        try pair.watch.stop()
        try pair.phone.stop()
    }

    @Test("The link and the faults of processes are asked for as those of devices are")
    func faults() async throws {
        let pair = try Self.pair()
        try await pair.start()
        try pair.watch.condition(LinkPreset.wifi.condition)
        try pair.watch.inject(FaultRule(.hold, .userInfo))
        try pair.phone.setDisk(.full)
        try pair.watch.tell("info 1")
        try await pair.waitUntil("it is held") { pair.watch.lines.contains { $0.contains("fault injected") } }
        try pair.watch.clearFaults()
        try await pair.waitUntil("there is no room") { pair.watch.lines.contains { $0.contains("retry scheduled") } }
        try pair.phone.clearFaults()
        try await pair.waitUntil("it arrives") { pair.phone.lines.contains("got user info 1") }
    }

    @Test("A program that is not linked with DeviceControl runs as others do, and says what it needs to be steered")
    func unlinked() async throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "PlainProgram")
        let pair = try ProcessPair(phone: program, watch: program)
        try await pair.start()
        let failure = try #require(throws: DeviceProcess.Failure.self) { try pair.watch.setWristDown(true) }
        #expect(failure.description.contains("this program is not linked with DeviceControl"))
    }

    @Test("Faults hold from a program's very first call, and can be added for what its app sees")
    func faultsFromTheStart() async throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "DeviceProgram")
        let pair = try ProcessPair(
            phone: program, watch: program,
            environment: [
                "WATCHLINK_FAULTS": "fail activation with=watchOnlyApp nth=2; duplicate user-info at-app times=1"
            ])
        try await pair.start()
        try pair.phone.inject(AppFault(.fail(.userInfo, .transferTimedOut)))
        try pair.phone.tell("info 1")
        try await pair.waitUntil("it fails as asked for") {
            pair.phone.lines.contains("did finish user info 1 error 7017")
        }
        try pair.watch.tell("info 2")
        try await pair.waitUntil("it is given twice") { Self.count("got user info 2", pair.phone) == 2 }
        try pair.watch.tell("info 3")
        try await pair.waitUntil("and the next one once") { pair.watch.lines.contains("did finish user info 3 ok") }
        try await pair.waitUntil { Self.count("got user info 3", pair.phone) == 1 }
        try pair.phone.clearFaults()
        try pair.phone.tell("info 4")
        try await pair.waitUntil { pair.phone.lines.contains("did finish user info 4 ok") }
        let first = try ProcessPair(
            phone: program, watch: program,
            environment: ["WATCHLINK_FAULTS": "fail activation with=watchOnlyApp times=1; slow isReachable by=1ms"])
        try first.phone.begin()
        try await first.waitUntil("its first activation fails") {
            first.phone.lines.contains("did not activate: error 7019")
        }
    }

    @Test("User infos survive SIGKILL of either side, and arrive once and in order")
    func userInfos() async throws {
        let pair = try Self.pair()
        try await pair.watch.start()
        for number in 1...20 { try pair.watch.tell("info \(number)") }
        try pair.watch.tell("cancel 7")
        try await pair.waitUntil("the last one is taken back") {
            pair.watch.lines.contains { $0.contains("transfer cancelled") }
        }
        try await pair.watch.restart()
        try await pair.phone.start()
        try await pair.waitUntil("all but that arrive") { pair.phone.lines.contains("got user info 20") }
        let got = pair.phone.lines.filter { $0.hasPrefix("got user info") }
        #expect(got == (1...20).filter { $0 != 7 }.map { "got user info \($0)" })
        try await pair.waitUntil("the watch hears of it, on this launch") {
            Self.count("did finish user info 20 ok", pair.watch) == 1
        }
        try await pair.waitUntil("the phone has written down that its app had them") {
            pair.phone.lines.filter { $0.contains("transfer delivered") }.count == 19
        }
        try await pair.phone.restart()
        try await pair.waitUntil { pair.phone.lines.contains { $0.contains("reachable=true") } }
        #expect(pair.phone.lines.filter { $0.hasPrefix("got user info") } == [])
    }

    @Test("An app that dies with a user info in its hands is given it again, and its sender hears of it once")
    func dies() async throws {
        let scratch = try Scratch()
        let pair = try Self.pair()
        try await pair.start()
        try pair.watch.tell("kill 1 \(scratch.path("mark"))")
        try pair.watch.tell("info 2")
        // Its last words may come after its end.
        try await pair.waitUntil("the phone is dead") {
            pair.phone.hasEnded && pair.phone.lines.contains("got user info 1")
        }
        try await pair.phone.restart()
        try await pair.waitUntil("it has both, in order") {
            pair.phone.lines.filter { $0.hasPrefix("got user info") } == ["got user info 1", "got user info 2"]
        }
        try await pair.waitUntil { pair.watch.lines.contains("did finish user info 2 ok") }
        #expect(Self.count("did finish user info 1 ok", pair.watch) == 1)
    }

    @Test("A file goes on after both sides were killed in its middle")
    func file() async throws {
        let scratch = try Scratch()
        let path = scratch.path("big.bin")
        let bytes = 128 * 1024 * 1024
        let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
        try random.read(upToCount: bytes)?.write(to: URL(filePath: path))
        let pair = try Self.pair()
        try await pair.start()
        // Without it, the whole file may be there before a busy machine gets to the kill.
        try pair.watch.condition(LinkPreset.wifi.condition)
        try pair.watch.tell("file \(path)")
        try await pair.waitUntil("some of it is there") {
            pair.phone.lines.filter { $0.contains("command=FileChunk") }.count > 20
        }
        pair.phone.kill()
        pair.watch.kill()
        try await pair.phone.start()
        try await pair.watch.start()
        try await pair.waitUntil("it goes on") { pair.watch.lines.contains { $0.contains("file resumed") } }
        try await pair.waitUntil("it is whole") { pair.phone.lines.contains("got file big.bin \(bytes) 2") }
        try await pair.waitUntil { pair.watch.lines.contains("did finish file big.bin ok") }
    }

    @Test("A watch that is unpaired is told to be gone, and comes back when it is paired")
    func pairing() async throws {
        let pair = try Self.pair()
        try await pair.start()
        let watch = try pair.watch.identifier()
        try pair.phone.unpair(watch)
        try await pair.waitUntil { pair.phone.lines.contains("watch state false false false") }
        try pair.phone.tell("info 1")
        try await pair.waitUntil { pair.phone.lines.contains("did finish user info 1 not paired") }
        try pair.phone.pair(watch)
        try await pair.waitUntil { Self.count("is reachable true", pair.phone) == 2 }
        try pair.watch.setWorkout(true)
        try pair.watch.setWristDown(true)
        try pair.phone.setAppInstalled(false)
        try await pair.waitUntil { pair.watch.lines.contains("companion app false") }
    }

    @Test("A suspended watch app is woken with a refresh task, which it completes")
    func background() async throws {
        let pair = try Self.pair()
        try await pair.start()
        try pair.watch.enter(.suspended)
        try pair.phone.tell("message 1")
        try await pair.waitUntil("no message wakes it") { pair.phone.lines.contains("message 1 failed 7007") }
        try pair.phone.tell("context 1")
        try await pair.waitUntil { pair.watch.lines.contains("got context 1") }
        try await pair.waitUntil { pair.watch.lines.contains("completed 1 tasks") }
        try await pair.waitUntil {
            pair.watch.lines.contains { $0.hasSuffix("application state changed application=suspended") }
        }
    }
}
