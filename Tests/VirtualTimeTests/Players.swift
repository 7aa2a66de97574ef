import Foundation
import Testing

@testable import VirtualTime

/// The real programs of conductors' tests, their scripts, and what they say.
enum Players {
    static let directory = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path

    static func player(_ name: String, _ arguments: String..., environment: [String: String] = [:]) -> Program {
        player(name, arguments, environment: environment)
    }

    static func player(_ name: String, _ arguments: [String], environment: [String: String] = [:]) -> Program {
        Program(
            name: name, executable: directory + "/PlayerProgram", arguments: arguments, environment: environment)
    }

    /// A program that runs a construct.
    static func probe(_ name: String, _ construct: String, environment: [String: String] = [:]) -> Program {
        Program(
            name: name, executable: directory + "/ProbeProgram", arguments: [construct], environment: environment)
    }

    static func script(_ lines: [(Duration, Deed)], end: Duration = .seconds(3_600)) throws -> Script {
        try Script(lines.map { Script.Line(at: $0.0, $0.1) }, end: end)
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The lines of a process, without the time of day and its identifier.
    static func sayings(_ process: ProcessOutcome) -> [String] {
        text(process.output).split(separator: "\n").map {
            $0.split(separator: " ", maxSplits: 2).dropFirst(2).joined()
        }
    }

    /// Compares all of two performances; a failure shows both.
    static func expectSame(
        _ performance: Performance, _ other: Performance, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isSame = performance == other
        #expect(
            isSame, "\(PerformanceText(performance).text)\nand\n\(PerformanceText(other).text)",
            sourceLocation: sourceLocation)
    }
}
