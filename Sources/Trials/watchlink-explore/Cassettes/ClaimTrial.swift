import CassetteReplay
import Cassettes
import Configuration
import Foundation
import ServiceRuntime

/// `watchlink replay` of two records of claims: what the fidelity probe has observed here and on devices.
struct ClaimTrial {
    /// The options that have a meaning for records.
    private static let known: Set = ["compare", "expect", "json", "junit"]

    private let path: String
    private let other: String
    private let options: ParsedOptions

    /// - Returns: nil if neither operand nor option is a record: they are cassettes.
    init?(_ operands: ArraySlice<String>, _ options: ParsedOptions) throws(UsageError) {
        guard let path = operands.first, operands.count == 1 else { return nil }
        let other = options["compare"]
        guard ClaimRecord.exists(at: path) || other.map(ClaimRecord.exists) == true else { return nil }
        guard let other else {
            throw UsageError("\(path) is a record of claims: it can only be compared, with --compare")
        }
        for one in [path, other] where !ClaimRecord.exists(at: one) {
            throw UsageError(
                "\(one) has no \(ClaimRecord.file): a record of claims can only be compared with another one")
        }
        if let foreign = options.names.subtracting(Self.known).min() {
            throw UsageError(
                "--\(foreign) has no meaning for records of claims; they have --expect, --json and --junit")
        }
        (self.path, self.other, self.options) = (path, other, options)
    }

    /// - Returns: True if something differs.
    func run() throws -> Bool {
        let (first, second) = (try ClaimRecord(at: path), try ClaimRecord(at: other))
        let comparison = ClaimComparison(first, second, expecting: try expected)
        let report = ClaimReport(first, second, comparison)
        try StandardOutput.print(options.has("json") ? try report.json.text(pretty: true) : report.text)
        if let file = options["junit"] { try ReportFile.write(report.junit.text, to: file) }
        return !comparison.isSame
    }

    /// The differences that are known: in the file that the user named, or beside the first record.
    private var expected: [ExpectedChange] {
        get throws { try ExpectedChange.all(inside: path, or: options["expect"]) }
    }
}
