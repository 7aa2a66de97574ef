import CassetteReplay
import Cassettes
import Configuration
import Foundation
import ServiceRuntime
import VirtualTime

/// `watchlink lint --cassettes`: the contents of cassettes, and builds with values that they do not know.
struct LintTrial {
    private let cassettes: LintedCassettes
    private let options: ParsedOptions
    private let level: LintLevel
    private let builds: [TestedBuild]
    private let expected: [ExpectedChange]

    init(_ operands: ArraySlice<String>, _ options: ParsedOptions) throws {
        if let word = operands.first { throw UsageError("unexpected “\(word)”; builds belong to --phone and --watch") }
        let word = options["level"] ?? LintLevel.meaning.rawValue
        guard let level = LintLevel(rawValue: word) else {
            let levels = LintLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--level “\(word)” must be one of \(levels)")
        }
        (self.options, self.level) = (options, level)
        builds = try ["phone", "watch"].compactMap { side throws(UsageError) in
            try options[side].map { text throws(UsageError) in try TestedBuild(text, of: side, option: "--\(side)") }
        }
        let directories = options.all("cassettes")
        guard !directories.isEmpty else { throw UsageError("lint needs --cassettes DIR, the directory of recordings") }
        expected = try Self.expected(directories, options["expect"])
        cassettes = try LintedCassettes(directories)
    }

    /// Returns the findings that are left.
    private static func expected(_ directories: [String], _ file: String?) throws -> [ExpectedChange] {
        if let file { return try ExpectedChange.all(try ConfigurationFile(path: file)) }
        return try directories.map { "\($0)/\(ExpectedChange.lintFile)" }
            .filter { FileManager.default.fileExists(atPath: $0) }
            .flatMap { try ExpectedChange.all(try ConfigurationFile(path: $0)) }
    }

    /// - Returns: True if there is a finding that counts.
    func run(_ conductor: () throws -> Conductor) throws -> Bool {
        let lint = CassetteLint(
            cassettes.all.map { CassetteSurvey($0.cassette, as: $0.title, beside: cassettes.others(of: $0.title)) },
            versionKeys: Set(options.all("version-key")), enumerationKeys: Set(options.all("enumeration")))
        var trials = UnseenTrials(cassettes.all, lint.enumerations)
        if !builds.isEmpty {
            let conductor = try conductor()
            for build in builds { try trials.run(build, conductor) }
        }
        let judgement = LintJudgement(
            CassetteLint.sorted(trials.findings + lint.findings + trials.untested.map(\.untested)),
            expecting: expected, at: Date())
        let report = LintReport(
            judgement: judgement, level: level, cassettes: cassettes.all.count, tried: trials.tried,
            notes: incomplete + trials.notes)
        try report.write(options)
        return judgement.findings.contains { $0.counts(from: level) }
    }

    /// Remarks on cassettes that lack events.
    private var incomplete: [String] {
        cassettes.all.filter { $0.cassette.manifest.state == .incomplete }.map { title, cassette in
            "\(title) is not complete (\(cassette.manifest.reason ?? "no reason is known")): more may be found in a whole one"
        }
    }
}
