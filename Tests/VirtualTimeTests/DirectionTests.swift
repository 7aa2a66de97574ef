import Foundation
import Testing

@testable import VirtualTime

/// Tests of a program that decides what happens to the others.
@Suite("Direction", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct DirectionTests {
    private static let phone = Players.player("phone", "linger")

    private static func script(_ deeds: String...) throws -> Script {
        let director = Players.player("director", ["direct"] + deeds)
        return try Script(
            [.init(at: .seconds(1), .start(director))], end: .seconds(3_600),
            direction: Direction(director: "director", cast: [phone]))
    }

    private func lines(_ process: ProcessOutcome) -> [String] {
        String(decoding: process.output, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: " ", maxSplits: 2).last.map { String($0) } ?? ""
        }
    }

    @Test("A director starts, kills, crashes and ends a program, and the performance ends with it")
    func deeds() throws {
        let script = try Self.script(
            "10 start phone", "4.5 kill phone", "1 start phone", "4.5 crash phone 2", "10 start phone", "2.5 end phone",
            "1 kill phone", "10 start phone", "5.5 end phone", "100 kill phone", "1 start phone", "2.5 kill phone")
        let (performance, isRepeatable) = try Conductor().check(script, JointCourse(seed: 3))
        #expect(isRepeatable)
        let phones = performance.processes.filter { $0.name == "phone" }
        #expect(phones.map(\.fate) == [.killed, .killed, .killed, .ended(.finished), .killed])
        #expect(phones.map { $0.span.lowerBound.components.seconds } == [11, 16, 31, 44, 151])
        // The first is killed between two counts.
        #expect(lines(phones[0]) == (1...5).map { "count \($0)" })
        #expect(phones[0].span.upperBound.components.seconds == 15)
        // The second crashes by itself, in the middle of its next count.
        #expect(phones[1].span.upperBound.components.seconds == 21)
        #expect(lines(phones[2]).contains("asked to end"), "\(lines(phones[2]))")
        #expect(lines(phones[3]).contains("asked to end"), "\(lines(phones[3]))")
        #expect(phones[3].span.upperBound.components.seconds == 52)
        #expect(performance.failure == nil)
        #expect(performance.virtualTime < .seconds(156), "\(performance.virtualTime)")
        let again = try Conductor().perform(script, performance.followed)
        #expect(again.processes.map(\.output) == performance.processes.map(\.output))
    }

    @Test("A director starts another build of a program, which finds the first one's files")
    func builds() throws {
        let builds = [["-c", "echo first > left"], ["-c", "cat left; echo second"]].map {
            Program(name: "phone", executable: "/bin/sh", arguments: $0)
        }
        let director = Players.player("director", ["direct", "1 start phone", "1 start phone 2", "1 start phone 1"])
        let script = try Script(
            [.init(at: .zero, .start(director))], end: .seconds(3_600),
            direction: Direction(director: "director", cast: builds))
        let performance = try Conductor().perform(script, JointCourse(seed: 1))
        let outputs = performance.processes.dropFirst().map { String(decoding: $0.output, as: UTF8.self) }
        #expect(outputs == ["", "first\nsecond\n", ""])
        let identities = try script.builds()
        #expect(identities.count == 2)
    }

    @Test("A director fills a disk and sets a clock")
    func surroundings() throws {
        let program = Players.player("phone", "keep")
        let director = Players.player(
            "director",
            [
                "direct", "1 start phone", "1.5 disk phone full", "1 disk phone good", "0 clock phone -7200.5",
                "1 kill phone",
            ])
        let script = try Script(
            [.init(at: .zero, .start(director))], end: .seconds(60),
            direction: Direction(director: "director", cast: [program]))
        let conductor = try Conductor()
        let phone = try #require(
            try conductor.perform(script, JointCourse(seed: 3)).processes.first { $0.name == "phone" })
        #expect(
            lines(phone).filter { $0.hasPrefix("longer") }.map { $0.contains("No space") } == [
                false, false, true, false,
            ])
        let last = String(decoding: phone.output, as: UTF8.self).split(separator: "\n").last?.split(separator: " ")
            .first
        let time = (last.flatMap { Double($0) } ?? 0) - Double(conductor.settings.epoch) / 1e9
        #expect(abs(time - (4 - 7_200.5)) < 0.1, "\(time)")
    }

    @Test("A crash happens at the given step: earlier steps leave less, and later ones more")
    func steps() throws {
        let ends = try [1, 40, 80, 1_000].map { step in
            let script = try Self.script("1 start phone", "0 crash phone \(step)", "30 kill phone")
            return try Conductor().perform(script, JointCourse(seed: 4)).processes[1]
        }
        let counts = ends.map { lines($0).count }
        #expect(counts == counts.sorted(), "\(counts)")
        #expect(counts[0] == 0, "\(counts)")
        #expect(counts[3] > 0, "\(counts)")
        #expect(Set(ends.map { $0.world.counts.steps }).count == 4)
        #expect(ends[0].world.counts.steps == 1, "\(ends[0].world.counts.steps)")
    }

    @Test("SIGTERM ends a program without a handler, which is not a failure")
    func unhandled() throws {
        let server = Program(name: "phone", executable: "/bin/sleep", arguments: ["1000"])
        let director = Players.player("director", ["direct", "1 start phone", "5 end phone", "5 end phone"])
        let script = try Script(
            [.init(at: .zero, .start(director))], end: .seconds(3_600),
            direction: Direction(director: "director", cast: [server]))
        let performance = try Conductor().perform(script, JointCourse(seed: 1))
        #expect(performance.processes[1].fate == .killed)
        #expect(performance.processes[1].span.upperBound.components.seconds == 6)
    }

    @Test(
        "A line that is not a deed is rejected with a list of deeds",
        arguments: [
            ("1 start watch", "one of phone"), ("1 dance phone", "start NAME BUILD, kill NAME"),
            ("1 start", "one of phone"),
            ("1 crash phone 0", "at least 1"), ("1 crash phone", "crash NAME STEP"),
            ("1 start phone 2", "“2” must be the number of a build, 1 to 1"),
            ("1 start phone 0", "the number of a build"), ("1 start phone 1 1", "start NAME BUILD, kill"),
            ("1 crash phone -1", "a number of steps"),
            ("1 disk phone", "disk NAME full|good"),
            ("1 disk phone empty", "full or good"), ("1 clock phone soon", "a number of seconds"),
            ("1 clock phone 316224001", "-316224000 and 316224000"), ("1 clock phone nan", "a number of seconds"),
        ])
    func wrong(_ deed: String, _ message: String) throws {
        let error = #expect(throws: ConductorError.self) {
            try Conductor().perform(try Self.script(deed), JointCourse(seed: 1))
        }
        let said = deed.dropFirst(2)
        #expect(error?.description.contains("virtual-time: \(said)” at 2.") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("A finding keeps a director's script with all deeds")
    func finding() throws {
        let lines: [Script.Line] = [
            .init(at: .zero, .start(Self.phone)), .init(at: .seconds(1), .crash("phone", step: 7)),
            .init(at: .seconds(2), .end("phone")), .init(at: .seconds(3), .kill("phone")),
            .init(at: .seconds(4), .disk("phone", isFull: true)), .init(at: .seconds(5), .disk("phone", isFull: false)),
            .init(at: .seconds(6), .clock("phone", by: .milliseconds(-1_500))),
        ]
        let script = try Script(lines, end: .seconds(9), direction: Direction(director: "x", cast: [Self.phone]))
        let performance = try Conductor().perform(script, JointCourse(seed: 8))
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let finding = try Finding(performance, of: script, settings: WorldSettings(), ending: .failed("as it should"))
        try finding.write(to: path)
        let read = try Finding(path: path)
        #expect(read == finding)
        #expect(read.script == script)
        #expect(finding.builds.count == 1)
    }

    @Test("A script with a crash at step 0 is rejected")
    func noStep() throws {
        let lines: [Script.Line] = [.init(at: .zero, .start(Self.phone)), .init(at: .zero, .crash("phone", step: 0))]
        #expect(throws: ScriptError.noStep("phone", at: .zero)) { try Script(lines, end: .seconds(1)) }
        #expect(throws: ScriptError.killOfStoppedProgram("phone", at: .zero)) {
            try Script([.init(at: .zero, .end("phone"))], end: .seconds(1))
        }
    }
}
