import Foundation
import ServiceRuntime
import VirtualTime
import Words

/// A finding as a test for Swift Testing: its programs, its script and its decisions, and that nothing goes wrong.
struct FindingTest {
    /// 1,000: a shrunk finding has fewer than a hundred, and compilers are slow with large literals.
    static let mostDecisions = 1_000

    private let path: String
    private let name: String
    private let what: String
    private let finding: Finding
    private let script: Script
    private let course: JointCourse
    private let words: [String]

    /// - Parameters:
    ///   - path: The finding's file.
    ///   - what: The failure.
    ///   - words: The decisions in words.
    init(_ path: String, _ what: String, _ finding: Finding, _ words: [String]) throws {
        guard let script = finding.script, let course = finding.jointCourse else {
            throw UsageError("\(path) is a finding of a single program, which cannot be written as a test")
        }
        guard finding.departures <= Self.mostDecisions else {
            throw UsageError(
                "\(path) has \(finding.departures) decisions; a test can have at most \(Self.mostDecisions): minimize it "
                    + "by exploring its seed with more --tries")
        }
        (self.path, self.what, self.finding, self.script, self.course) = (path, what, finding, script, course)
        self.words = words
        name = SwiftText.identifier(URL(filePath: path).deletingPathExtension().lastPathComponent)
    }

    func write(to file: String) throws {
        try ReportFile.write(text(file), to: file)
    }

    func text(_ file: String) -> String {
        let title = what.split(separator: "\n").first.map { TerminalText.printable(String($0)) } ?? ""
        let comments = words.map { "//   " + TerminalText.printable($0) }
        let programs = ScriptPrograms(script)
        return """
            // Decisions that cause the failure:
            \((comments.isEmpty ? ["//   none: it fails without any trouble"] : comments).joined(separator: "\n"))
            // They apply to these builds only; after a change, explore again:
            \(finding.builds.map { "//   \($0)" }.joined(separator: "\n"))
            // The test's target depends on the product VirtualTime, and this puts the library for programs beside the tests:
            //   swift build --product virtualtimepreload
            // Written by:
            //   watchlink explore replay \(ShellText.quoted(path)) --swift-test \(ShellText.quoted(file))
            import Testing
            import VirtualTime

            @Test(\(SwiftText.literal(title)), .enabled(if: World.isAvailable))
            func \(name)() throws {
            \(programs.declarations)
                let script = try Script(
                    [
            \(script.lines.map { "            \(programs.line($0))," }.joined(separator: "\n"))
                    ],
                    end: \(SwiftText.duration(script.end))\(programs.rest))
                var conductor = try Conductor()
            \(settings)    let course = JointCourse(
                    conductor: \(SwiftText.course(course.conductor)),
                    processes: [\(processes.isEmpty ? ":" : processes.joined() + "\n        ")])
                let performance = try conductor.perform(script, course)
                #expect(performance.complaint == nil)
            }

            """
    }

    /// The processes whose courses are not the dull ones that all others get.
    private var processes: [String] {
        let dull = JointCourse(conductor: course.conductor, processes: [:])
        return finding.lives.compactMap { life -> String? in
            let own = course.course(of: life)
            if own.departures.isEmpty, own.remainder == .dull, own.seed == dull.course(of: life).seed { return nil }
            let life = "Life(\(SwiftText.literal(life.name)), \(life.number))"
            return "\n            \(life): \(SwiftText.course(own)),"
        }
    }

    /// Assignments of the settings that are not the default.
    private var settings: String {
        let (own, usual) = (finding.settings, WorldSettings())
        let lines = [
            own.preemption == usual.preemption ? nil : "preemption = \(own.preemption)",
            own.stall == usual.stall ? nil : "stall = \(own.stall)",
            own.stallMilliseconds == usual.stallMilliseconds ? nil : "stallMilliseconds = \(own.stallMilliseconds)",
            own.edges == usual.edges ? nil : "edges = \(own.edges)",
            own.epoch == usual.epoch ? nil : "epoch = \(own.epoch)",
            own.horizon == usual.horizon ? nil : "horizon = \(own.horizon)",
            own.spinMilliseconds == usual.spinMilliseconds ? nil : "spinMilliseconds = \(own.spinMilliseconds)",
            own.processIdentifier == usual.processIdentifier ? nil : "processIdentifier = \(own.processIdentifier)",
        ]
        return lines.compactMap(\.self).map { "    conductor.settings.\($0)\n" }.joined()
    }
}
