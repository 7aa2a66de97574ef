import Foundation
import Testing

@testable import VirtualTime

/// The first start of a host, which makes its databases, interrupted at any moment.
@Suite("A first start that is interrupted", .enabled(if: World.isAvailable, "It needs worlds."))
struct FirstStartTests {
    private static let host = Program(
        name: "host", executable: TestBench.program("watchlink-host").path(percentEncoded: false),
        arguments: ["--state-directory", "state"])

    /// The steps between two kills. 61: about fifty kills, at the calls of all parts of a start.
    private static let stride: UInt64 = 61

    @Test("A kill at any moment leaves a state in which the host starts")
    func kill() throws {
        var step: UInt64 = 1
        while true {
            let script = try Script(
                [
                    .init(at: .zero, .start(Self.host)), .init(at: .zero, .crash("host", step: step)),
                    .init(at: .milliseconds(900), .kill("host")), .init(at: .seconds(1), .start(Self.host)),
                ], end: .seconds(10))
            let lives = try Conductor().perform(script, JointCourse(seed: 1)).processes
                .map { String(decoding: $0.output + $0.errors, as: UTF8.self) }
            // It was ready before that step.
            if lives[0].contains(": ready ") { break }
            #expect(lives.count == 2 && lives[1].contains(": ready "), "killed at step \(step):\n\(lives)")
            step += Self.stride
        }
        #expect(step > 10 * Self.stride, "it was ready at step \(step)")
    }
}
