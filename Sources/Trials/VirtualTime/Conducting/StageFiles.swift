import CVirtualTime
import Foundation

/// The files of a performance, and what its programs get of them.
struct StageFiles {
    let directory: String
    let origin: Conductor.Origin
    let settings: WorldSettings
    let breakpoint: Breakpoint?

    /// The first process's answer to `getpid`; those that follow have the next numbers.
    private static let firstIdentifier = 1_000

    private func path(_ number: Int, _ name: String) -> String { "\(directory)/process-\(number).\(name)" }

    /// What one life of a program writes lies where a director finds it, which knows the programs by their names.
    private func path(_ life: Life, _ stream: String) -> String {
        "\(directory)/\(life.name)-\(life.number).\(stream)"
    }

    /// Starts a program in a directory of its own, which it may have had before.
    func start(
        _ program: Program, number: Int, _ life: Life, _ course: Course
    ) throws(ConductorError) -> ConductedProcess {
        let home = "\(directory)/\(program.name)"
        do {
            try FileManager.default.createDirectory(atPath: "\(home)/tmp", withIntermediateDirectories: true)
            try given(course).write(to: URL(fileURLWithPath: path(number, "decisions")))
        } catch {
            throw .directory(home, error.localizedDescription)
        }
        return try ConductedProcess(
            inDirectory(program), from: origin.template,
            environment: environment(program, home: home, number: number, course),
            directory: home, output: path(life, "output"), errors: path(life, "errors"))
    }

    /// The program with the directory's path where its words ask for it.
    private func inDirectory(_ program: Program) -> Program {
        func filled(_ word: String) -> String { word.replacing(Program.directoryMark, with: directory) }
        return Program(
            name: program.name, executable: filled(program.executable), arguments: program.arguments.map(filled),
            environment: program.environment.mapValues(filled))
    }

    private func environment(
        _ program: Program, home: String, number: Int, _ course: Course
    ) -> [String: String] {
        var environment = [
            "HOME": home, "TMPDIR": "\(home)/tmp", "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
            "TZ": "UTC",
            // Swift's report of a crash takes some seconds of real time, and needs what is not in a world.
            "SWIFT_BACKTRACE": "enable=no",
        ]
        environment.merge(inDirectory(program).environment) { _, own in own }
        if case .executables(let library) = origin {
            environment["LD_PRELOAD"] = [library, environment["LD_PRELOAD"]].compactMap(\.self).joined(separator: ":")
        }
        environment.merge(settings.environment(for: course)) { _, own in own }
        environment[VIRTUAL_TIME_PROCESS] = "\(Self.firstIdentifier + number)"
        environment[VIRTUAL_TIME_DECISIONS] = path(number, "decisions")
        environment[VIRTUAL_TIME_RECORD] = path(number, "record")
        if let breakpoint, breakpoint.process == number {
            environment[VIRTUAL_TIME_DEBUGGER] = "\(breakpoint.decision + 1)"
        }
        environment[VIRTUAL_TIME_CONDUCTOR] = "\(VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR)"
        return environment
    }

    private func given(_ course: Course) -> Data { course.rawDecisions.withUnsafeBytes { Data($0) } }

    /// What a process that has ended left in its record.
    func outcome(
        ofProcess number: Int, _ course: Course, status: Int32, isOverdue: Bool, ending: Ending?
    ) throws(ConductorError) -> Outcome {
        guard let record = virtual_time_record_open(path(number, "record")) else {
            throw .system("read the record \(path(number, "record"))", code: errno)
        }
        defer { virtual_time_record_close(record) }
        if let text = Ending.crowding(record) { throw .crowdedOut(text) }
        return Outcome(
            of: course, record: record,
            ending: ending ?? Ending(record: record, status: status, isOverdue: isOverdue))
    }

    /// What a process writes to standard output, as it comes.
    func outputLines(of life: Life) throws(ConductorError) -> OutputLines {
        let path = path(life, "output")
        guard let lines = OutputLines(path) else { throw .system("read what a program says from \(path)", code: errno) }
        return lines
    }

    func output(of life: Life) -> [UInt8] { contents(path(life, "output")) }

    func errorBytes(of life: Life) -> [UInt8] { contents(path(life, "errors")) }

    func errors(of life: Life) -> String { String(decoding: errorBytes(of: life), as: UTF8.self) }

    /// A program may have removed what it wrote: then it wrote nothing.
    private func contents(_ path: String) -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer { file.closeFile() }
        return [UInt8](file.readData(ofLength: ProcessOutcome.mostOutput))
    }
}
