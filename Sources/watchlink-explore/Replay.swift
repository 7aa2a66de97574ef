import Foundation
import ServiceRuntime
import VirtualTime

/// A finding's world once more.
struct Replay {
    private let finding: Finding
    private let script: Script
    private let course: JointCourse

    init(_ operands: ArraySlice<String>) throws {
        guard let path = operands.first, operands.count == 1 else {
            throw UsageError("replay takes one finding, a file such as findings/seed-199.json")
        }
        finding = try Finding(path: path)
        guard let script = finding.script, let course = finding.jointCourse else {
            throw UsageError("\(path) is a finding of one program; the program itself replays it")
        }
        (self.script, self.course) = (script, course)
    }

    /// - Returns: True if something went wrong again.
    func run(_ conductor: Conductor) throws -> Bool {
        for warning in finding.warnings(for: try script.builds()) {
            FileHandle.standardError.write(Data("watchlink explore: \(warning)\n".utf8))
        }
        var conductor = conductor
        conductor.settings = finding.settings
        let performance = try conductor.perform(script, course)
        try StandardOutput.print(PerformanceText(performance).text, terminator: "")
        let complaint = Complaint(about: performance)
        try StandardOutput.print(complaint.map { $0.description } ?? "nothing went wrong this time")
        return complaint != nil
    }
}
