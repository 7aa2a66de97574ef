import CVirtualTime
import Foundation
import Homes

/// The files of a performance, and the environments of its programs.
struct StageFiles {
    let directory: String
    let origin: Conductor.Origin
    let settings: WorldSettings
    let breakpoint: Breakpoint?
    /// The names of the programs whose power can be cut.
    let powered: Set<String>
    /// The real time in which a process must report.
    let limit: Duration

    /// The result of `getpid` in the first process; the others have the following numbers.
    private static let firstIdentifier = 1_000

    private func path(_ number: Int, _ name: String) -> String { "\(directory)/process-\(number).\(name)" }

    /// The output of one life of a program. Its path contains the program's name, by which a director finds it.
    private func path(_ life: Life, _ stream: String) -> String {
        "\(directory)/\(life.name)-\(life.number).\(stream)"
    }

    /// Starts a program in its own directory, which an earlier life may have used.
    func start(
        _ program: Program, number: Int, _ life: Life, _ course: Course
    ) throws(ConductorError) -> ConductedProcess {
        let home = "\(directory)/\(program.name)"
        do {
            try ProgramHome(home).create()
            if life.number == 1 { try pageCache(of: program.name)?.reset() }
            try given(course).write(to: URL(fileURLWithPath: path(number, "decisions")))
        } catch {
            throw .directory(home, error.localizedDescription)
        }
        return try ConductedProcess(
            inDirectory(program), from: origin,
            environment: environment(program, home: home, number: number, course),
            directory: home, output: path(life, "output"), errors: path(life, "errors"), limit: limit)
    }

    /// Returns the program with the placeholders replaced by the directory's path.
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
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
            "TZ": "UTC",
            // Swift's crash report takes a few seconds of real time, and needs resources that a world does not have.
            "SWIFT_BACKTRACE": "enable=no",
        ]
        environment.merge(ProgramHome(home).variables) { own, _ in own }
        environment.merge(inDirectory(program).environment) { _, own in own }
        if case .executables(let library, _) = origin {
            environment["LD_PRELOAD"] = [library, environment["LD_PRELOAD"]].compactMap(\.self).joined(separator: ":")
        }
        environment.merge(settings.environment(for: course)) { _, own in own }
        environment[VIRTUAL_TIME_PROCESS] = "\(Self.firstIdentifier + number)"
        environment[VIRTUAL_TIME_DECISIONS] = path(number, "decisions")
        if let cache = pageCache(of: program.name) { environment[VIRTUAL_TIME_PAGE_CACHE] = cache.store }
        environment[VIRTUAL_TIME_RECORD] = path(number, "record")
        if let breakpoint, breakpoint.process == number {
            environment[VIRTUAL_TIME_DEBUGGER] = "\(breakpoint.decision + 1)"
        }
        environment[VIRTUAL_TIME_FILES] = "\(directory)/table.files"
        environment[VIRTUAL_TIME_CONDUCTOR] = "\(VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR)"
        return environment
    }

    /// Returns the state of a program's home after a power cut; nil if its power cannot be cut.
    func pageCache(of name: String) -> PageCache? {
        powered.contains(name) ? PageCache(home: "\(directory)/\(name)", store: "\(directory)/\(name).disk") : nil
    }

    private func given(_ course: Course) -> Data { course.rawDecisions.withUnsafeBytes { Data($0) } }

    /// Returns the outcome in the record of a process that has ended.
    func outcome(
        ofProcess number: Int, _ course: Course, status: Int32, isOverdue: Bool, ending: Ending?
    ) throws(ConductorError) -> Outcome {
        let record = try openRecord(number)
        defer { virtual_time_record_close(record) }
        if let text = Ending.crowding(record) { throw .crowdedOut(text) }
        return Outcome(
            of: course, record: record,
            ending: ending ?? Ending(record: record, status: status, isOverdue: isOverdue))
    }

    /// Returns the time at which the last turn of a process began, which it may have taken by itself.
    func lastTurn(ofProcess number: Int) throws(ConductorError) -> Int64 {
        let record = try openRecord(number)
        defer { virtual_time_record_close(record) }
        return record.pointee.turn
    }

    private func openRecord(_ number: Int) throws(ConductorError) -> UnsafePointer<virtual_time_record> {
        guard let record = virtual_time_record_open(path(number, "record")) else {
            throw .system("read the record \(path(number, "record"))", code: errno)
        }
        return record
    }

    /// Opens the standard output of a process, to read lines as they arrive.
    func outputLines(of life: Life) throws(ConductorError) -> OutputLines { try lines(path(life, "output")) }

    /// Opens the standard error of a process, to read lines as they arrive.
    func errorLines(of life: Life) throws(ConductorError) -> OutputLines { try lines(path(life, "errors")) }

    private func lines(_ path: String) throws(ConductorError) -> OutputLines {
        guard let lines = OutputLines(path) else { throw .system("read a program's output from \(path)", code: errno) }
        return lines
    }

    func output(of life: Life) -> [UInt8] { contents(path(life, "output")) }

    func errorBytes(of life: Life) -> [UInt8] { contents(path(life, "errors")) }

    func errors(of life: Life) -> String { String(decoding: errorBytes(of: life), as: UTF8.self) }

    /// A program may have removed its output; this then returns no bytes.
    private func contents(_ path: String) -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer { file.closeFile() }
        return [UInt8](file.readData(ofLength: ProcessOutcome.mostOutput))
    }
}
