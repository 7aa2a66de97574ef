import Foundation
import Testing

@testable import VirtualTime

/// Tests of the comparison of two performances of one course.
@Suite(.enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct PerformanceTests {
    private static let directory = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path

    private static func program(_ name: String, _ executable: String, _ arguments: [String]) -> Program {
        Program(name: name, executable: "\(directory)/\(executable)", arguments: arguments)
    }

    private func performance(_ questions: Int, phone: String = "serve", seed: UInt64 = 4) throws -> Performance {
        let lines = [
            Script.Line(at: .zero, .start(Self.program("phone", "PlayerProgram", [phone, "{world}/socket"]))),
            Script.Line(
                at: .seconds(10),
                .start(Self.program("watch", "PlayerProgram", ["ask", "{world}/socket", "\(questions)", "60"]))),
        ]
        return try Conductor().perform(try Script(lines, end: .seconds(600)), JointCourse(seed: seed))
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
        let script = try Script(
            [.init(at: .zero, .start(Self.program("busy", "ProbeProgram", ["spinning"])))], end: .seconds(9))
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

    @Test("A signal is reported by number and name")
    func signals() {
        #expect("\(Ending.killed(signal: 4))" == "ended by signal 4, SIGILL")
        #expect("\(Ending.killed(signal: 1_000))" == "ended by signal 1000")
    }
}
