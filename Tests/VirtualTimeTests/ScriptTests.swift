import Testing

@testable import VirtualTime

@Suite("Scripts")
struct ScriptTests {
    private static func program(_ name: String, _ executable: String = "/bin/true") -> Program {
        Program(name: name, executable: executable)
    }

    private static func script(_ lines: [(Duration, Deed)], end: Duration = .seconds(60)) throws(ScriptError) -> Script
    {
        try Script(lines.map { Script.Line(at: $0.0, $0.1) }, end: end)
    }

    @Test("Lines are sorted by time, and lines at the same time keep their order")
    func order() throws {
        let script = try Self.script([
            (.seconds(5), .start(Self.program("b"))), (.seconds(5), .start(Self.program("c"))),
            (.zero, .start(Self.program("a"))), (.seconds(5), .kill("a")),
        ])
        #expect(script.lines.map(\.deed.name) == ["a", "b", "c", "a"])
    }

    @Test("Times lie within the script, whose end is after 0 and at most after a hundred years")
    func times() throws {
        let start = Deed.start(Self.program("a"))
        let last = try Self.script([(.seconds(60), start)])
        #expect(last.lines.count == 1)
        #expect(throws: ScriptError.time(.seconds(61), end: .seconds(60))) { try Self.script([(.seconds(61), start)]) }
        #expect(throws: ScriptError.time(.seconds(-1), end: .seconds(60))) { try Self.script([(.seconds(-1), start)]) }
        #expect(throws: ScriptError.end(.zero)) { try Self.script([], end: .zero) }
        let longest = try Self.script([], end: Script.longest)
        #expect(longest.end == Script.longest)
        #expect(throws: ScriptError.self) { try Self.script([], end: Script.longest + .nanoseconds(1)) }
    }

    @Test("Only a started program can be killed, and only once")
    func kills() throws {
        let start = Deed.start(Self.program("a"))
        #expect(throws: ScriptError.killOfStoppedProgram("a", at: .zero)) { try Self.script([(.zero, .kill("a"))]) }
        #expect(throws: ScriptError.killOfStoppedProgram("a", at: .seconds(2))) {
            try Self.script([(.zero, start), (.seconds(1), .kill("a")), (.seconds(2), .kill("a"))])
        }
        _ = try Self.script([
            (.zero, start), (.seconds(1), .kill("a")), (.seconds(1), start), (.seconds(1), .kill("a")),
        ])
    }

    @Test("Names must be valid for directories", arguments: ["", "..", "a/b", "ä", "a b", ".", "a\0"])
    func names(_ name: String) {
        #expect(throws: ScriptError.name(name)) { try Self.script([(.zero, .start(Self.program(name)))]) }
    }

    @Test("A name has at most 64 characters")
    func longName() throws {
        let name = String(repeating: "n", count: 64)
        _ = try Self.script([(.zero, .start(Self.program(name)))])
        #expect(throws: ScriptError.name(name + "n")) { try Self.script([(.zero, .start(Self.program(name + "n")))]) }
    }

    @Test("Arguments with a zero byte, and variable names that are empty or contain an equals sign, are rejected")
    func words() {
        func start(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws {
            let program = Program(name: "a", executable: "/bin/true", arguments: arguments, environment: environment)
            _ = try Self.script([(.zero, .start(program))])
        }
        #expect(throws: ScriptError.zeroByte("x\0", of: "a")) { try start(["x\0"]) }
        #expect(throws: ScriptError.zeroByte("\0", of: "a")) { try start([], ["K": "\0"]) }
        #expect(throws: ScriptError.variable("", of: "a")) { try start([], ["": "1"]) }
        #expect(throws: ScriptError.variable("A=B", of: "a")) { try start([], ["A=B": "1"]) }
        #expect(throws: Never.self) { try start(["", "=", "ä"], ["K": "=", "L": ""]) }
    }

    @Test("A hazard belongs to a started program, is its only one, and lies within the script")
    func hazards() throws {
        func script(_ hazards: Hazard...) throws(ScriptError) -> Script {
            try Script(
                [.init(at: .zero, .start(Self.program("a"))), .init(at: .zero, .start(Self.program("b")))],
                end: .seconds(300), hazards: hazards)
        }
        let two = try script(Hazard("a"), Hazard("b", kills: 1_000, until: .seconds(300)))
        #expect(two.hazards.count == 2)
        let one = try script(Hazard("a", kills: 0, pause: .zero...(.seconds(300)), until: .zero))
        #expect(one.hazards.count == 1)
        #expect(throws: ScriptError.hazardOfUnknownProgram("c")) { try script(Hazard("c")) }
        #expect(throws: ScriptError.hazardOfUnknownProgram("a")) { try script(Hazard("a"), Hazard("a")) }
        #expect(throws: ScriptError.kills(-1, of: "a")) { try script(Hazard("a", kills: -1)) }
        #expect(throws: ScriptError.kills(1_001, of: "a")) { try script(Hazard("a", kills: 1_001)) }
        let (early, late) = (Duration.seconds(-1)...(.zero), Duration.zero...(.seconds(301)))
        #expect(throws: ScriptError.pause(early, of: "a", end: .seconds(300))) { try script(Hazard("a", pause: early)) }
        #expect(throws: ScriptError.pause(late, of: "a", end: .seconds(300))) { try script(Hazard("a", pause: late)) }
        for until in [Duration.seconds(-1), .seconds(301)] {
            #expect(throws: ScriptError.time(until, end: .seconds(300))) { try script(Hazard("a", until: until)) }
        }
    }
}
