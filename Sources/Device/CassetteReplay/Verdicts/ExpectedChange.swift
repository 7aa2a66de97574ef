package import Configuration
package import Foundation

/// A change that is intended, from the file `expected.json5` in a cassette's directory, or a finding that is left.
package struct ExpectedChange: Equatable, Sendable {
    /// The name of the file.
    package static let file = "expected.json5"
    /// The name of the file beside cassettes that are checked.
    package static let lintFile = "expected-lint.json5"

    /// The deviation, as ``Deviation/name`` has it: `sendMessage title key-missing`; or a ``LintFinding/name``.
    package let change: String
    /// Why it is intended, for people.
    package let reason: String
    /// The last day on which it is, in UTC.
    package let until: Date

    /// The line for a change that was not seen.
    package var unseenWords: String { "expected, but not seen: \(change) (\(reason))" }

    /// Returns those of some changes that are not among the names of findings.
    static func unseen(_ expected: [ExpectedChange], among names: [String]) -> [ExpectedChange] {
        let names = Set(names)
        return expected.filter { !names.contains($0.change) }
    }

    /// Reads a file with a list of changes, such as `{ changes: [{ change: "reply total type", reason: "a sum of
    /// halves", until: "2027-01-31" }] }`.
    package static func all(_ file: ConfigurationFile) throws(ConfigurationError) -> [ExpectedChange] {
        var changes: [ExpectedChange] = []
        for entry in try file.list("changes") { changes.append(try ExpectedChange(entry)) }
        try file.refuseUnknownKeys()
        return changes
    }

    /// Returns the changes that are intended for a cassette, or a record of claims.
    ///
    /// - Parameters:
    ///   - directory: The cassette, whose own file counts; it need not have one.
    ///   - file: The file that the user named instead.
    package static func all(inside directory: String, or file: String?) throws -> [ExpectedChange] {
        let path = file ?? "\(directory)/\(Self.file)"
        guard file != nil || FileManager.default.fileExists(atPath: path) else { return [] }
        return try all(try ConfigurationFile(path: path))
    }

    private init(_ entry: ConfigurationFile) throws(ConfigurationError) {
        func text(_ key: String, _ what: String) throws(ConfigurationError) -> String {
            guard let text = try entry.string(key), !text.isEmpty else { throw entry.wrong(key, "is missing: \(what)") }
            return text
        }
        change = try text("change", "its name, as it is printed in brackets")
        reason = try text("reason", "why it is intended")
        let day = try text("until", "the last day on which it is expected, such as 2027-01-31")
        guard let start = Self.beginning(of: day) else {
            throw entry.wrong("until", "“\(day)” must be a day such as 2027-01-31")
        }
        until = start.addingTimeInterval(24 * 60 * 60)
    }

    /// Returns the beginning of a day; nil if there is no such day, as the 30th of February, which would be read as one of March.
    private static func beginning(of day: String) -> Date? {
        let style = Date.ISO8601FormatStyle.iso8601.year().month().day()
        do {
            let start = try Date(day, strategy: style)
            return start.formatted(style) == day ? start : nil
        } catch {
            return nil
        }
    }
}
