import Configuration
import Foundation
import Glibc
import Processes
import ServiceRuntime
import Words

/// Examines a set-up and says how to fix each problem.
enum DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "find problems in the set-up and say how to fix them"
    static let forms = [
        CommandForm(
            "doctor",
            "check directories, permissions, disk, services, versions, clocks and databases; 1 if one is bad")
    ]
    static let examples = [
        CommandForm("doctor", "list problems with advice"),
        CommandForm("doctor --json", "print JSON for a monitoring system"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.isEmpty else { throw UsageError("doctor takes no arguments") }
        let findings = try Examination(invocation).findings()
        if invocation.wantsJSON {
            try StandardOutput.print(
                JSONValue.array(
                    findings.map {
                        [
                            "subject": .string($0.subject), "state": .string($0.state.rawValue),
                            "detail": .string($0.detail), "advice": .string($0.advice),
                            "command": .string($0.command),
                        ]
                    }
                ).text(pretty: true))
        } else {
            for finding in findings {
                try StandardOutput.print(
                    "\(Terminal.coloured(mark(finding.state), as: finding.state.colour)) \(finding.subject): \(TerminalText.printable(finding.detail))"
                )
                if !finding.advice.isEmpty { try StandardOutput.print("      → \(finding.advice)") }
                if !finding.command.isEmpty { try StandardOutput.print("        $ \(finding.command)") }
            }
        }
        return findings.contains { $0.state == .bad } ? .failure : .success
    }

    private static func mark(_ state: Finding.State) -> String {
        state.rawValue + String(repeating: " ", count: 4 - state.rawValue.count)
    }
}

extension Finding.State {
    fileprivate var colour: Terminal.Colour {
        switch self {
        case .good: .green
        case .odd: .yellow
        case .bad: .red
        }
    }
}
