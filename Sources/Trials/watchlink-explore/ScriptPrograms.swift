import VirtualTime

/// The programs of a script as constants of Swift source text, and what refers to them.
struct ScriptPrograms {
    private let script: Script
    private var names: [Program: String] = [:]
    private var programs: [Program] = []

    init(_ script: Script) {
        self.script = script
        let started = script.lines.compactMap { if case .start(let program) = $0.deed { program } else { nil } }
        for program in started + (script.direction?.cast ?? []) where names[program] == nil {
            // Further builds of a role.
            let number = programs.count { $0.name == program.name } + 1
            names[program] = SwiftText.identifier(program.name) + (number == 1 ? "" : "Build\(number)") + "Program"
            programs.append(program)
        }
    }

    var declarations: String {
        programs.map { program in
            let arguments = program.arguments.map(SwiftText.literal).joined(separator: ", ")
            let environment = program.environment.sorted { $0.key < $1.key }
                .map { "\n            \(SwiftText.literal($0.key)): \(SwiftText.literal($0.value))," }.joined()
            return """
                    let \(name(program)) = Program(
                        name: \(SwiftText.literal(program.name)),
                        executable: \(SwiftText.literal(program.executable)),
                        arguments: [\(arguments)],
                        environment: [\(environment.isEmpty ? ":" : environment + "\n        ")])
                """
        }.joined(separator: "\n")
    }

    func line(_ line: Script.Line) -> String { ".init(at: \(SwiftText.duration(line.time)), \(deed(line.deed)))" }

    /// The other arguments of the script.
    var rest: String {
        var text = ""
        if let direction = script.direction {
            let cast = direction.cast.map(name).joined(separator: ", ")
            text +=
                ",\n        direction: Direction(director: \(SwiftText.literal(direction.director)), cast: [\(cast)])"
        }
        guard !script.hazards.isEmpty else { return text }
        return text + ",\n        hazards: [\n"
            + script.hazards.map { "            \(hazard($0)),\n" }.joined() + "        ]"
    }

    private func name(_ program: Program) -> String { names[program] ?? "" }

    private func deed(_ deed: Deed) -> String {
        switch deed {
        case .start(let program): ".start(\(name(program)))"
        case .kill(let name): ".kill(\(SwiftText.literal(name)))"
        case .cutPower(let name): ".cutPower(\(SwiftText.literal(name)))"
        case .crash(let name, let step): ".crash(\(SwiftText.literal(name)), step: \(step))"
        case .end(let name): ".end(\(SwiftText.literal(name)))"
        case .disk(let name, let isFull): ".disk(\(SwiftText.literal(name)), isFull: \(isFull))"
        case .clock(let name, let by): ".clock(\(SwiftText.literal(name)), by: \(SwiftText.duration(by)))"
        }
    }

    private func hazard(_ hazard: Hazard) -> String {
        let pause = "\(SwiftText.duration(hazard.pause.lowerBound))...(\(SwiftText.duration(hazard.pause.upperBound)))"
        let until = hazard.until.map { ", until: \(SwiftText.duration($0))" } ?? ""
        return "Hazard(\(SwiftText.literal(hazard.name)), kills: \(hazard.kills), pause: \(pause)\(until), "
            + "diskFills: \(hazard.diskFills), clockJumps: \(hazard.clockJumps), "
            + "cutsPower: \(hazard.cutsPower))"
    }
}
