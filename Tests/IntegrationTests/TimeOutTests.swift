import Foundation
import Testing
import VirtualTime

/// The time-outs visible to users, at their real lengths: minutes, hours and days of virtual time. Each is checked a
/// moment before and a moment after.
@Suite("Time-outs", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct TimeOutTests {
    private static let app = TestBench.program("QuizPair").path(percentEncoded: false)

    /// Runs steps with the services, or with two apps, and then checks the expectations.
    private func play(_ steps: [String], expect: String, apps: [String] = []) throws -> CommandResult {
        let bench = try TestBench()
        let text = "{ name: 'time', steps: [{ \(steps.joined(separator: " }, { ")) }], expect: { \(expect) } }"
        return try bench.watchlink(
            ["scenario", "run", try bench.write("s.json5", text), "--virtual", "--verbose"] + apps)
    }

    /// A step that does nothing, but makes the check happen at its time.
    private static func until(_ seconds: Double) -> String { "at: \(seconds), do: 'device', action: 'foreground'" }

    @Test("A message waits 30 seconds for its reply, and then fails", arguments: [(39.9, 0), (40.1, 1)])
    func reply(_ end: Double, _ failed: Int) throws {
        let result = try play(
            [
                "at: 5, on: 'phone', do: 'fault', rule: 'drop reply'",
                "at: 10, do: 'send', kind: 'message'", Self.until(end),
            ], expect: "sent: { watch: { message: { failed: \(failed), replied: 0 } } }")
        #expect(result.code == 0, "\(result.output)")
        #expect(
            result.errors.contains("The reply did not arrive in time: none within 30.0 s") == (failed == 1),
            "\(result.errors)")
    }

    @Test("A transfer waits 60 seconds for an acknowledgement, and is resent", arguments: [(69.9, 0), (71, 1)])
    func acknowledgement(_ end: Double, _ count: Int) throws {
        let result = try play(
            [
                "at: 5, on: 'watch', do: 'fault', rule: 'drop user-info times=1'",
                "at: 10, do: 'send', kind: 'user-info'", Self.until(end),
            ], expect: "delivered: { phone: { 'user-info': \(count) } }")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }

    @Test("A day has 50 transfers for the complication; the next day begins at midnight", arguments: [86_390, 86_401])
    func budget(_ time: Int) throws {
        let isNextDay = time > 86_400
        let result = try play(
            [
                "at: 5, on: 'phone', do: 'complication'",
                "at: '23h', on: 'phone', do: 'send', kind: 'complication', count: 51",
                "at: \(time), on: 'phone', do: 'send', kind: 'complication'", "at: '25h', on: 'phone', do: 'settle'",
            ],
            expect: """
                delivered: { watch: { complication: \(isNextDay ? 51 : 50), 'user-info': \(isNextDay ? 1 : 2) } }
                """)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }

    @Test("A watch whose phone is away for an hour reaches it within five seconds of its return")
    func reconnection() throws {
        let result = try play(
            [
                "at: 60, on: 'phone', do: 'kill'", "at: 3660, on: 'phone', do: 'start'", Self.until(3_665.2),
            ], expect: "reachable: { phone: true, watch: true }", apps: ["--phone", Self.app, "--watch", Self.app])
        #expect(result.code == 0, "\(result.output)")
        let connections = result.errors.matches(of: try Regex("watch .*T01:01:0([0-5])[.].*peer connected"))
        #expect(connections.count == 1, "\(result.errors.suffix(3_000))")
    }

    @Test("A silent connection is closed after its time-out, and not before", arguments: [false, true])
    func silence(_ isOver: Bool) throws {
        let result = try play(
            [
                "at: 60, on: 'watch', do: 'condition', to: 'out.stall=on'", Self.until(isOver ? 96 : 84),
            ], expect: "reachable: { phone: \(!isOver) }")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }
}
