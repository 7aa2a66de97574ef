import Foundation
import Locking
import Testing

@testable import WatchLinkTesting

@Suite("How long a pair's devices wait", .serialized)
struct PairTimesTests {
    private let phoneApp = RecordingDelegate()
    private let watchApp = RecordingDelegate()

    /// Returns the cause that the watch's ledger gives for the failure of a message whose reply is dropped.
    private func cause(_ pair: SimulatedPair) async throws -> String? {
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.phone.simulator.inject(FaultRule(.drop, .reply))
        pair.watch.session.sendMessage([:], replyHandler: { _ in })
        try await pair.expect(.message, from: .watch, .failed)
        return try pair.watch.ledger().last?.cause
    }

    @Test("A reply is waited for for half a second, or as long as the test says")
    func replies() async throws {
        let short = try await cause(try SimulatedPair())
        #expect(short?.contains("within 0.5 s") == true, "\(short ?? "")")
        let shorter = try await cause(try SimulatedPair(times: .reply(.milliseconds(100))))
        #expect(shorter?.contains("within 0.1 s") == true, "\(shorter ?? "")")
    }

    @Test("The time-outs outside of tests can be asked for, and the configuration has the last word")
    func asked() throws {
        let seen = Mutex<[Duration]>([])
        func note(_ configuration: inout DeviceConfiguration) {
            let times = configuration.times
            seen.withLock { $0 += [times.reply, times.acknowledgement] }
            configuration.times.reply = .seconds(7)
        }
        let pair = try SimulatedPair(times: .real, note)
        #expect(seen.withLock { $0 } == [.seconds(30), .seconds(60), .seconds(30), .seconds(60)])
        let reply = pair.phone.simulator.configuration?.times.reply
        #expect(reply == .seconds(7))
        #expect(PairTimes.real.environment["WATCHLINK_REPLY_TIMEOUT"] == "30000ms")
        #expect(PairTimes.short.environment["WATCHLINK_ACKNOWLEDGEMENT_TIMEOUT"] == "2000ms")
    }

    @Test("A user info whose acknowledgement is lost is sent again while the test waits")
    func acknowledgements() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.phone.simulator.inject(try FaultRule(words: ["drop", "acknowledgement", "times=1"]))
        pair.watch.session.transferUserInfo(["score": 3])
        try await pair.expect(.userInfo, from: .watch)
        let attempts = try pair.watch.ledger().last?.attempts
        #expect(attempts == 2)
    }

    @Test("Processes wait as short, unless the test says otherwise")
    func processes() async throws {
        let pair = try ProcessPair(phone: "DeviceProgram", watch: "DeviceProgram")
        try await pair.start()
        try pair.phone.inject(FaultRule(.drop, .reply))
        try pair.watch.tell("message 1")
        try await pair.waitUntil("it has failed") { pair.watch.lines.contains("message 1 failed 7012") }
        let cause = try pair.watch.ledger().last?.cause
        #expect(cause?.contains("within 0.5 s") == true, "\(cause ?? "")")
        let shell = URL(filePath: "/bin/sh")
        let script = ["-c", "echo \"$WATCHLINK_REPLY_TIMEOUT\"; echo \"$WATCHLINK_ACKNOWLEDGEMENT_TIMEOUT\""]
        for (times, lines) in [(PairTimes.real, ["30000ms", "60000ms"]), (.reply(.seconds(1)), ["1000ms", "2000ms"])] {
            let asked = try ProcessPair(phone: shell, arguments: script, watch: shell, times: times)
            try asked.phone.begin()
            try await asked.waitUntil("it has told them") { asked.phone.lines.count == 2 }
            #expect(asked.phone.lines == lines)
        }
    }
}
