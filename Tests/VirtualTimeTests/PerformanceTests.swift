import Foundation
import Testing

@testable import VirtualTime

/// Tests of the comparison of two performances of one course.
@Suite(.enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct PerformanceTests {
    private func performance(_ questions: Int) throws -> Performance {
        let watch = Players.player("watch", "ask", "{world}/socket", "\(questions)", "60")
        let script = try Players.script(
            [(.zero, .start(Players.player("phone", "serve", "{world}/socket"))), (.seconds(10), .start(watch))],
            end: .seconds(600))
        return try Conductor().perform(script, JointCourse(seed: 4))
    }

    @Test("Equal performances do not part")
    func equal() throws {
        #expect(PerformanceParting(of: try performance(2), from: try performance(2))?.text == nil)
    }

    @Test("A parting names the device, the line, and what came instead")
    func parting() throws {
        let two = try performance(2)
        let three = try performance(3)
        let text = PerformanceParting(of: two, from: three)?.text ?? ""
        #expect(text.wholeMatch(of: /line 4 that phone printed: “”; again: “[\d.]+ \d+ received 2”/) != nil, "\(text)")
        let back = PerformanceParting(of: three, from: two)?.text ?? ""
        #expect(back.wholeMatch(of: /line 4 that phone printed: “[\d.]+ \d+ received 2”; again: “”/) != nil, "\(back)")
    }

    /// The watchdog looks at the loop after some real time.
    @Test("An endless loop is repeatable, whatever its stack is when it is found")
    func spinning() throws {
        let script = try Players.script([(.zero, .start(Players.probe("busy", "spinning")))], end: .seconds(9))
        var conductor = try Conductor()
        conductor.settings.spinMilliseconds = 500
        let performance = try conductor.perform(script, JointCourse(seed: 1))
        guard case .spinning(let text)? = performance.failure?.world.ending else {
            Issue.record("\(PerformanceText(performance).text)")
            return
        }
        let again = try conductor.perform(script, JointCourse(seed: 1))
        #expect(PerformanceParting(of: performance, from: again)?.text == nil)
        #expect(Ending.spinning(text) == .spinning("elsewhere"))
        #expect(Ending.spinning(text).cause == Ending.spinning("elsewhere").cause)
        #expect(Ending.deadlock("here") != .deadlock("there"))
    }

    @Test("A deadlock has one cause, whoever of its threads began to wait first")
    func deadlockCause() {
        func report(_ time: String, _ first: String, _ second: String) -> Ending {
            .deadlock(
                "threads wait for each other at \(time) s:\n  in a cycle: thread 3 -> thread 5 -> thread 3\n"
                    + "  thread 3 waits in \(first)\n  thread 5 waits in \(second)\n")
        }
        let lock = "pthread_mutex_lock for a lock that thread 5 holds\n      App+0x12 save\n      App+0x2 main"
        let queue = "futex for the queue \"store\", which thread 3 serves\n      App+0x77 load"
        #expect(report("1.5", lock, queue).cause == report("12.25", queue, lock).cause)
        #expect(report("1.5", lock, queue).cause != report("1.5", lock, lock).cause)
    }

    @Test("A crash is reported with the last words of Swift's runtime, and equal crashes have one cause")
    func lastWords() throws {
        let complaints = try ["1", "2"].map { seconds in
            let trap = Players.player("phone", "trap", seconds, environment: ["SWIFT_BACKTRACE": "enable=no"])
            let performance = try Conductor().perform(
                try Players.script([(.zero, .start(trap))], end: .seconds(9)), JointCourse(seed: 1))
            return try #require(Complaint(about: performance))
        }
        let text = complaints[0].description
        #expect(text.contains("the phone ended by signal 4, SIGILL: "), "\(text)")
        #expect(text.contains("Fatal error: Index out of range"), "\(text)")
        #expect(complaints[0].cause == complaints[1].cause)
    }

    @Test("A signal is reported by number and name")
    func signals() {
        #expect("\(Ending.killed(signal: 4))" == "ended by signal 4, SIGILL")
        #expect("\(Ending.killed(signal: 1_000))" == "ended by signal 1000")
    }
}
