import Foundation
import Testing

@testable import VirtualTime

@Suite("Findings")
struct FindingTests {
    private static let build = BuildIdentity(program: "app", kind: .buildID, value: "0123abcd")

    private static func finding(_ ending: Ending = .failed("stored 3 of 21")) throws -> Finding {
        let place = Place(site: .max, ordinal: .max)
        let decision = try Decision(.latency, options: 3_000, taken: 2_999, at: place)
        let other = try Decision(.application, options: .max, taken: .max - 1)
        let circumstance = Circumstance(time: .max, subject: "drop “reply”", thread: 7, chosen: 0)
        let course = try Course(
            seed: .max, strategy: .priorities(depth: 3, steps: 1_000),
            departures: [Departure(at: 0, decision, circumstance), Departure(at: 17, other)], given: 40, then: .drawn)
        return Finding(
            builds: [build], settings: WorldSettings(), courses: [course, Course(seed: 0)], ending: ending)
    }

    @Test(
        "A finding survives writing and reading, with each ending",
        arguments: [
            .finished, .failed("a\n“b”\u{0}"), .deadlock("thread 0: sem_wait"), .uncontrolledCall("flock"),
            .spinning("thread 3"), .horizon, .exited(code: 3), .killed(signal: 11), .exhausted("threads"),
            .damaged("its trace"), .overdue,
        ] as [Ending])
    func roundTrip(_ ending: Ending) throws {
        let finding = try Self.finding(ending)
        let read = try Finding(finding.encoded(), path: "f")
        #expect(read == finding)
    }

    private static func findingOfPrograms(hazards: [Hazard] = [], _ lives: [Life]) throws -> Finding {
        let program = Program(name: "a", executable: "/bin/true", arguments: ["{world}", ""], environment: ["K": "ä"])
        let other = Program(name: "b", executable: "/bin/false")
        let script = try Script(
            [
                .init(at: .nanoseconds(1), .start(program)), .init(at: .seconds(1), .start(other)),
                .init(at: .seconds(3), .kill("a")), .init(at: .seconds(4), .start(program)),
            ], end: .seconds(60), hazards: hazards)
        return Finding(
            builds: [build], settings: WorldSettings(), script: script,
            courses: (0...lives.count).map { Course(seed: UInt64($0)) }, lives: lives, ending: .horizon,
            words: ["00:00:03.000 a is killed, and does not start again"])
    }

    @Test("A finding with several programs has its script, its hazards, and a course for each life")
    func script() throws {
        let hazards = [
            Hazard(
                "a", kills: 7, pause: .nanoseconds(5)...(.seconds(50)), until: .seconds(59), diskFills: 2, clockJumps: 9
            ),
            Hazard("b", pause: .zero...(.zero)),
        ]
        let lives = [Life("b", 1), Life("a", 2), Life("a", 1)]
        let finding = try Self.findingOfPrograms(hazards: hazards, lives)
        let read = try Finding(finding.encoded(), path: "f")
        #expect(read == finding)
        #expect(
            read.jointCourse
                == JointCourse(
                    conductor: Course(seed: 0),
                    processes: [lives[0]: Course(seed: 1), lives[1]: Course(seed: 2), lives[2]: Course(seed: 3)]))
        let single = try Self.finding()
        #expect(single.jointCourse == nil)
    }

    @Test("A finding can be written to a file and read back, and a missing file is an error")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.path + "/finding-\(UUID()).json"
        defer { unlink(path) }
        let finding = try Self.finding()
        try finding.write(to: path)
        let read = try Finding(path: path)
        #expect(read == finding)
        let error = #expect(throws: FindingError.self) { try Finding(path: path + "x") }
        #expect(error?.description.hasPrefix("cannot read \(path)x: ") == true, "\(error?.description ?? "")")
        let unwritable = #expect(throws: FindingError.self) { try finding.write(to: path + "/x") }
        #expect(
            unwritable?.description.hasPrefix("cannot write \(path)/x: ") == true, "\(unwritable?.description ?? "")")
    }

    @Test("A truncated file is rejected")
    func cut() throws {
        let contents = try Self.finding().encoded()
        // The last character is a bracket.
        for count in 0..<contents.count {
            #expect(throws: FindingError.self, "cut to \(count) bytes") {
                try Finding(contents.prefix(count), path: "f")
            }
        }
    }

    @Test("Every changed byte is detected")
    func changed() throws {
        let finding = try Self.finding()
        let contents = try finding.encoded()
        var generator = SplitMix(state: 1)
        for index in contents.indices {
            var damaged = contents
            damaged[index] ^= UInt8.random(in: 1...255, using: &generator)
            do {
                let read = try Finding(damaged, path: "f")
                // Whitespace between the values may differ.
                #expect(read == finding, "byte \(index) was changed, and the finding with it")
            } catch {
                #expect(error.path == "f")
            }
        }
    }

    @Test("Errors say what is wrong with a file, and what to do")
    func errors() throws {
        func message(_ text: String) -> String {
            do {
                _ = try Finding(Data(text.utf8), path: "f.json")
                return "no error"
            } catch { return error.description }
        }
        #expect(message("{}").hasPrefix("f.json is not a finding, or is damaged: "))
        #expect(message("") != "no error")
        #expect(message("[]") != "no error")
        #expect(message("{\"format\": 2}") != "no error")
        #expect(message("{\"format\": 1e400}") != "no error")
        #expect(
            message("{\"format\": 1}")
                == "f.json has format 1, but this program reads format 2: use the program that wrote it")
        #expect(message(String(repeating: "[", count: 100_000)) != "no error")
        let text = String(decoding: try Self.finding().encoded(), as: UTF8.self)
        #expect(
            message(text.replacing("\"taken\" : 2999", with: "\"taken\" : 2998"))
                == "f.json was changed after it was written: its checksum does not match; "
                + "copy the original again, or explore the seed again")
        #expect(
            message(text.replacing("\"taken\" : 2999", with: "\"taken\" : \"many\"")).contains(
                "finding.courses[0].decisions[0].taken"))
    }

    @Test("A finding with a correct checksum and invalid contents is rejected")
    func forged() throws {
        func message(_ change: (inout FindingBody) -> Void) throws -> String {
            let finding = try Self.finding()
            var body = FindingBody(finding)
            change(&body)
            let file = FindingFile(checksum: try body.checksum(), finding: body)
            do {
                _ = try Finding(JSONEncoder().encode(file), path: "f")
                return "no error"
            } catch { return "\(error)" }
        }
        func course(
            given: Int = 1, _ decisions: [FindingBody.Decision],
            _ strategy: FindingBody.Strategy = .init(name: "random")
        )
            -> FindingBody.Course
        {
            FindingBody.Course(seed: 1, strategy: strategy, given: given, then: .dull, decisions: decisions)
        }
        func decision(
            at: Int = 0, kind: String = "fault", options: UInt32 = 2, taken: UInt32 = 1, site: String = "1f"
        ) -> FindingBody.Decision {
            FindingBody.Decision(at: at, kind: kind, options: options, taken: taken, site: site, ordinal: 0)
        }
        func expect(
            _ part: String, sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout FindingBody) -> Void
        ) throws {
            let text = try message(change)
            #expect(text.contains(part), sourceLocation: sourceLocation)
        }
        try expect("no error") { $0.courses = [course([decision()])] }
        try expect("“luck”; expected one of thread, ") { $0.courses = [course([decision(kind: "luck")])] }
        try expect("up to 16 hexadecimal digits") { $0.courses = [course([decision(site: "x")])] }
        try expect("the same place as an earlier one") {
            $0.courses = [course(given: 2, [decision(), decision(at: 1)])]
        }
        try expect("must be between 0 and 1") { $0.courses = [course([decision(taken: 2)])] }
        try expect("only 1 decisions are given") { $0.courses = [course([decision(at: 1)])] }
        try expect("the numbers must increase") { $0.courses = [course([decision(), decision()])] }
        try expect("at most \(Course.mostGiven)") { $0.courses = [course(given: .max, [])] }
        try expect("“luck”") { $0.courses = [course([], .init(name: "luck"))] }
        try expect("1 to 16") { $0.courses = [course([], .init(name: "priorities", depth: 99, steps: 1))] }
        func script(_ line: FindingBody.Script.Line, end: Int64 = 9) -> FindingBody.Script {
            .init(lines: [line], end: end)
        }
        let program = FindingBody.Script.Program(name: "a", executable: "/x", arguments: [], environment: [:])
        let conducted = try message {
            $0.script = script(.init(at: 1, start: program))
            $0.courses.removeLast()
        }
        #expect(conducted == "no error")
        try expect("one of “start”, “kill”, “cutPower”, “end”") { $0.script = script(.init(at: 1)) }
        try expect("between 0 and the script's end") { $0.script = script(.init(at: 10, start: program)) }
        try expect("has not started it") { $0.script = script(.init(at: 1, kill: "a")) }
        try expect("must end") { $0.script = script(.init(at: 1, start: program), end: .max) }
        func programs(_ lives: [Life], _ change: (inout FindingBody) -> Void) throws -> String {
            try message { body in
                guard let finding = try? Self.findingOfPrograms(hazards: [Hazard("a", pause: .zero...(.zero))], lives)
                else { return }
                body = FindingBody(finding)
                change(&body)
            }
        }
        func expectPrograms(
            _ lives: [Life], _ part: String, sourceLocation: SourceLocation = #_sourceLocation,
            _ change: (inout FindingBody) -> Void
        ) throws {
            let text = try programs(lives, change)
            #expect(text.contains(part), sourceLocation: sourceLocation)
        }
        let lives = [Life("a", 1), Life("b", 1)]
        try expectPrograms(lives, "no error") { _ in }
        try expectPrograms([Life("a", 1), Life("a", 1)], "must have the “name” and “life”") { _ in }
        try expectPrograms(lives, "must have the “name” and “life”") { $0.courses[1].life = nil }
        try expectPrograms(lives, "a hazard for “c”") { $0.script?.hazards?[0].name = "c" }
        try expectPrograms(lives, "“shortest” that is above") { $0.script?.hazards?[0].longest = -1 }
        try expectPrograms(lives, "use 0 to 1000") { $0.script?.hazards?[0].kills = -1 }
        try expect("“disk” with “isFull”") { $0.script = script(.init(at: 1, disk: "a")) }
        try expect("“clock” with") { $0.script = script(.init(at: 1, isFull: true, clock: "a")) }
        try expect("“luck” is not an ending") { $0.ending = .init(name: "luck") }
        let others = [
            try message { $0.courses = [course([], .init(name: "random", depth: 1))] },
            try message { $0.script = script(.init(at: 1, start: program, kill: "a")) },
            try message { $0.ending = .init(name: "failed") },
            try message { $0.ending = .init(name: "horizon", number: 1) },
        ]
        #expect(!others.contains("no error"))
    }

    @Test("A file that is too large is rejected before it is decoded")
    func large() throws {
        let error = #expect(throws: FindingError.self) { try Finding(Data(count: Finding.mostBytes + 1), path: "f") }
        #expect(error?.reason == .tooLarge)
        let endless = #expect(throws: FindingError.self) { try Finding(path: "/dev/zero") }
        #expect(endless?.reason == .tooLarge)
        // What could not be read again is not written.
        let ending = Ending.failed(String(repeating: "x", count: Finding.mostBytes))
        let unwritten = #expect(throws: FindingError.self) { try Self.finding(ending).write(to: "/dev/null/finding") }
        #expect(unwritten?.reason == .tooLarge)
    }

    @Test("A different build causes a warning, the same build does not")
    func builds() throws {
        let finding = try Self.finding()
        #expect(finding.warnings(for: [Self.build]).isEmpty)
        let other = BuildIdentity(program: "app", kind: .buildID, value: "ffff")
        let warning = try #require(finding.warnings(for: [other]).first)
        #expect(
            warning.hasPrefix(
                "the finding comes from another build: app (build id 0123abcd), but this is app (build id ffff)"))
        #expect(finding.warnings(for: []) == ["the finding has 1 programs, but 0 were given"])
    }
}
