import Foundation
import Testing

@testable import VirtualTime

/// Tests of a program's surroundings: its disk and its clock.
@Suite("Disks and clocks", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct SurroundingsTests {
    private static func program(_ arguments: String...) -> Program { Players.player("phone", arguments) }

    /// The program's lines, each with the seconds since its start, measured by the clock that is set.
    private func perform(
        _ program: Program, _ deeds: [(Duration, Deed)], end: Duration
    ) throws -> [(time: Double, text: String)] {
        let lines = [Script.Line(at: .zero, .start(program))] + deeds.map { Script.Line(at: $0.0, $0.1) }
        let conductor = try Conductor()
        let (performance, isRepeatable) = try conductor.check(try Script(lines, end: end), JointCourse(seed: 3))
        #expect(isRepeatable, "\(performance.processes.map(\.fate))")
        #expect(performance.failure == nil, "\(performance.processes.map(\.fate))")
        return performance.processes.flatMap { process in
            String(decoding: process.output, as: UTF8.self).split(separator: "\n").map { line in
                let words = line.split(separator: " ", maxSplits: 2)
                let time = Double(words[0]) ?? 0
                return (time - Double(conductor.settings.epoch) / 1e9, String(words[2]))
            }
        }
    }

    @Test(
        "On a full disk, files cannot grow but can be overwritten, until space is freed; a restart does not change this"
    )
    func fullDisk() throws {
        let program = Self.program("keep")
        let said = try perform(
            program,
            [
                (.milliseconds(2_500), .disk("phone", isFull: true)), (.milliseconds(4_500), .kill("phone")),
                (.milliseconds(5_500), .start(program)), (.milliseconds(7_500), .disk("phone", isFull: false)),
            ], end: .milliseconds(9_400))
        let refusal = "No space left on device"
        let (good, full) = (
            ["longer", "over", "appended", "new"],
            ["longer: \(refusal)", "over", "appended: \(refusal)", "new: no room"]
        )
        let seconds = Dictionary(grouping: said) { Int($0.time * 2) }.mapValues { $0.map(\.text) }
        #expect(
            seconds == [
                0: good, 2: good, 4: good, 6: full, 8: full, 11: full, 13: full, 15: good, 17: good,
            ], "\(said)")
    }

    @Test("Setting the clock forward immediately ends waits for times of day, and no others")
    func forward() throws {
        let said = try perform(
            Self.program("await", "1800"), [(.milliseconds(10_500), .clock("phone", by: .seconds(3_600)))],
            end: .seconds(2_000))
        let times = Dictionary(said.map { ($0.text, $0.time) }) { first, _ in first }
        #expect(abs((times["second 10"] ?? 0) - 10) < 0.1)
        #expect(abs((times["second 11"] ?? 0) - 3_611) < 0.1, "seconds are counted on, and are an hour later")
        for wait in ["condition", "wall timer"] { #expect(abs((times[wait] ?? 0) - 3_610.5) < 0.1, "\(wait)") }
        #expect(abs((times["timer"] ?? 0) - 5_400) < 0.1)
    }

    @Test(
        "Setting the clock back prolongs waits for times of day, and no others; the shift outlasts a restart")
    func back() throws {
        let program = Self.program("await", "60")
        let said = try perform(
            program,
            [
                (.milliseconds(10_500), .clock("phone", by: .seconds(-30))), (.milliseconds(100_500), .kill("phone")),
                (.milliseconds(101_500), .start(program)),
            ], end: .milliseconds(102_400))
        let times = Dictionary(said.map { ($0.text, $0.time) }) { first, _ in first }
        #expect(abs((times["second 11"] ?? 0) + 19) < 0.1)
        for wait in ["condition", "wall timer"] { #expect(abs((times[wait] ?? 0) - 60) < 0.1, "\(wait)") }
        #expect(abs((times["timer"] ?? 0) - 30) < 0.1)
        #expect(abs((said.last { $0.text == "second 0" }?.time ?? 0) - 71.5) < 0.1, "\(said.suffix(3))")
    }

    @Test("A clock stays within ten years of its initial time, however often it is set")
    func farthest() {
        var surroundings = Surroundings()
        for _ in 0..<3 { surroundings.setClock(by: Deed.farthestClock) }
        #expect(surroundings.clockShift == Deed.farthestClock.nanoseconds)
        for _ in 0..<5 { surroundings.setClock(by: .zero - Deed.farthestClock) }
        #expect(surroundings.clockShift == -Deed.farthestClock.nanoseconds)
    }

    @Test("Only a started device has a disk and a clock, which is set by ten years at most")
    func script() throws {
        func script(_ deed: Deed) throws(ScriptError) {
            _ = try Script([.init(at: .zero, .start(Self.program())), .init(at: .zero, deed)], end: .seconds(1))
        }
        try script(.clock("phone", by: Deed.farthestClock))
        try script(.disk("phone", isFull: false))
        let far = Deed.farthestClock + .nanoseconds(1)
        for by in [far, .zero - far] {
            #expect(throws: ScriptError.clock(by, of: "phone")) { try script(.clock("phone", by: by)) }
        }
        for deed in [Deed.disk("watch", isFull: true), .clock("watch", by: .zero)] {
            #expect(throws: ScriptError.noDevice("watch", at: .zero)) { try script(deed) }
        }
        for hazard in [Hazard("phone", diskFills: 1_001), Hazard("phone", clockJumps: -1)] {
            #expect(throws: ScriptError.troubles(hazard.diskFills + hazard.clockJumps, of: "phone")) {
                try Script([.init(at: .zero, .start(Self.program()))], end: .seconds(3_600), hazards: [hazard])
            }
        }
    }
}
