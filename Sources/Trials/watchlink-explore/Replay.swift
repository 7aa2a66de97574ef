import DeviceWorlds
import Foundation
import ServiceRuntime
import VirtualTime
import Words

/// A replay of a finding.
struct Replay {
    /// A week: in practice no limit for a person with a debugger.
    private static let debuggingLimit: Duration = .seconds(7 * 86_400)

    private let path: String
    private let finding: Finding
    private let script: Script
    private let course: JointCourse
    private let options: ParsedOptions

    init(_ operands: ArraySlice<String>, _ options: ParsedOptions) throws {
        guard let path = operands.first, operands.count == 1 else {
            throw UsageError("replay needs exactly one finding, a file such as findings/seed-199.json")
        }
        guard !(options.has("quiet") && options.has("trace")) else {
            throw UsageError("--quiet leaves out what --trace adds")
        }
        self.path = path
        finding = try Finding(path: path)
        guard let script = finding.script, let course = finding.jointCourse else {
            throw UsageError("\(path) is a finding of a single program; replay it with that program")
        }
        (self.script, self.course, self.options) = (script, course, options)
    }

    /// - Returns: True if the replay failed again.
    func run(_ conductor: Conductor) throws -> Bool {
        for warning in finding.warnings(for: try script.builds()) { Self.tell(warning) }
        var conductor = conductor
        conductor.settings = finding.settings
        // The contents of the trace affect no decision.
        conductor.settings.tracesSteps = options.has("trace")
        var performance = try conductor.perform(script, course)
        if options.has("debugger") {
            conductor.breakpoint = Self.breakpoint(performance)
            conductor.limit = Self.debuggingLimit
            performance = try conductor.perform(script, course)
        }
        if !options.has("quiet") {
            try StandardOutput.print(
                PerformanceText(performance, hasSteps: options.has("trace")).text, terminator: "")
        }
        let complaints = Complaint.all(about: performance)
        let complaint = complaints.first { $0.ending == finding.ending } ?? complaints.first
        for line in ShortCourse.glance(ShortCourse(performance).lines) {
            try StandardOutput.print(TerminalText.printable(line))
        }
        try StandardOutput.print(
            complaint == nil
                ? "nothing went wrong this time"
                : complaints.map { StackPlaces(script).completed($0.description) }.joined(separator: "\n"))
        if let file = options["scenario"] {
            try FindingScenario(path, complaint?.description ?? "", script, performance).write(to: file)
        }
        if let file = options["swift-test"] {
            let words = ShortCourse.glance(ShortCourse(performance).lines)
            let what = complaint?.description ?? finding.ending.description
            try FindingTest(path, what, finding, words).write(to: file)
        }
        if let file = options["timeline"] { try draw(performance, file) }
        return complaint != nil
    }

    private func draw(_ performance: Performance, _ file: String) throws {
        guard let page = try PerformanceTimeline(performance).html() else { throw TimelineError(path: file) }
        try ReportFile.write(page, to: file)
    }

    /// Returns a breakpoint before the last departure of the failed device; without a departure at its beginning, so
    /// that breakpoints can be set.
    private static func breakpoint(_ performance: Performance) -> Breakpoint {
        let device = Complaint(about: performance)?.device
        let number = performance.processes.lastIndex { $0.name == device } ?? 0
        let decisions =
            performance.processes.indices.contains(number) ? performance.processes[number].world.decisions : []
        let last = decisions.lastIndex { !$0.isDull } ?? 0
        let place = decisions.indices.contains(last) ? "decision \(last): \(decisions[last])" : "its first decision"
        return Breakpoint(process: number, decision: last) { identifier in
            tell("the \(device ?? "first program") waits for a debugger before \(place)")
            tell("lldb -p \(identifier)    # or gdb; “continue” runs to it")
        }
    }

    private static func tell(_ line: String) {
        FileHandle.standardError.write(Data("watchlink explore: \(line)\n".utf8))
    }
}
