import CVirtualTime
import Foundation

/// The result of one process of a performance.
public struct ProcessOutcome: Hashable, Sendable {
    /// The way in which a process ended.
    public enum Fate: Hashable, Sendable {
        /// It ended by itself.
        case ended(Ending)
        /// The script or a hazard killed it.
        case killed
        /// It was still running at the end of the script.
        case running
    }

    /// The run of the program.
    public let life: Life
    /// The times of its start and end, in the virtual time of the performance.
    public let span: Range<Duration>
    /// The way in which it ended.
    public let fate: Fate
    /// The result of its world.
    public let world: Outcome
    /// Its standard output, up to ``mostOutput`` bytes.
    public let output: [UInt8]
    /// Its standard error, up to ``mostOutput`` bytes.
    public let errors: [UInt8]
    /// The lines of it that say that something is wrong, with their times; empty unless ``Conductor/notesComplaints`` is set.
    package let complaints: [ComplaintWord]

    /// The most output kept, 16 MiB: a week of a service's log.
    public static let mostOutput = 16 << 20

    /// The name of its role.
    public var name: String { life.name }

    /// True if it ended by itself, and with a failure.
    public var isFailure: Bool {
        if case .ended(let ending) = fate { ending.isFailure } else { false }
    }
}

extension ProcessOutcome {
    /// Returns the lines of standard error that contain a mark.
    package func reportedLines(with mark: String) -> [String] {
        // Most programs write thousands of lines, and none of this kind.
        guard Data(errors).range(of: Data(mark.utf8)) != nil else { return [] }
        return String(decoding: errors, as: UTF8.self).split(separator: "\n").filter { $0.contains(mark) }
            .map { String($0) }
    }

    /// The time and the stack of its crash, several lines; nil if its world did not see one.
    package var crash: String? {
        report(beginningWith: "\(VIRTUAL_TIME_CRASH) at ").map {
            ([$0.line] + [$0.details].compactMap(\.self)).joined(separator: "\n")
        }
    }

    /// Returns the first line of standard error with a beginning, and the indented lines that follow it.
    package func report(beginningWith mark: String) -> (line: String, details: String?)? {
        // Most programs write thousands of lines, and none of this kind.
        guard Data(errors).range(of: Data(mark.utf8)) != nil else { return nil }
        let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n")
        guard let first = lines.firstIndex(where: { $0.hasPrefix(mark) }) else { return nil }
        let details = lines[(first + 1)...].prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
        return (String(lines[first]), details.isEmpty ? nil : details)
    }

    /// The line that Swift's runtime printed before it stopped the program; nil if there is none.
    package var lastWords: String? { RuntimeReport.words.compactMap { reportedLines(with: $0).last }.first }
}
