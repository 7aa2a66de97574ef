import Configuration
import Foundation
import RoleCopies
import Words

/// The findings of an adoption, for people and for programs.
struct AdoptionReport {
    let package: AdoptedPackage
    /// The package's folder as it was given.
    let path: String

    /// A gap, and the devices whose copies have it.
    private var gaps: [(gap: SurveyGap, roles: [CopyRole])] {
        var roles: [SurveyGap: [CopyRole]] = [:]
        for survey in package.surveys {
            for gap in survey.gaps { roles[gap, default: []].append(survey.settings.role) }
        }
        return roles.map { ($0.key, $0.value) }.sorted {
            ($0.gap.file, $0.gap.line, $0.gap.name) < ($1.gap.file, $1.gap.line, $1.gap.name)
        }
    }

    // MARK: - Text

    var text: String {
        var lines = ["\(path): the package \(package.name), with the programs Phone and Watch and a test of both."]
        for survey in package.surveys { lines += Self.lines(survey) }
        let findings = findings
        lines += ["", findings.isEmpty ? "Nothing is missing on Linux." : "Missing on Linux:"]
        lines += findings.map { "  " + $0 }
        lines += ["", "Next: cd \(ShellText.quoted(path)) && swift test"]
        return lines.map(TerminalText.printable).joined(separator: "\n")
    }

    /// The most symbols of a file in the text. 3: enough to recognise a view; JSON has all of them.
    private static let maximumSymbols = 3

    private var findings: [String] {
        let gaps = gaps
        let lacking = gaps.filter { $0.gap.kind == .symbol && $0.gap.supply == nil }
        let symbols = Dictionary(grouping: lacking, by: \.gap.file)
        return gaps.compactMap { gap, roles in
            let devices = roles.count == 1 ? " (\(roles[0].rawValue))" : ""
            let text = "\(gap.file):\(gap.line): \(gap.kind.rawValue) \(gap.name)\(devices): \(supply(gap))"
            guard let all = symbols[gap.file], let place = all.firstIndex(where: { $0.gap == gap })
            else { return text }
            guard place < Self.maximumSymbols else { return nil }
            let rest = all.count - Self.maximumSymbols
            return place == Self.maximumSymbols - 1 && rest > 0 ? "\(text); and \(rest) more, listed by --json" : text
        }
    }

    private func supply(_ gap: SurveyGap) -> String {
        guard let face = gap.supply else { return "nothing supplies it; \(gap.advice)" }
        let isUsed = package.surveys.contains { $0.faces.contains(face) }
        if gap.kind == .module, gap.name != face.rawValue {
            return "the source uses none of its names; \(face.rawValue) takes its place"
        }
        return "supplied by the product \(face.rawValue), which " + (isUsed ? "the package uses" : "no copy needs")
    }

    private static func lines(_ survey: LayerSurvey) -> [String] {
        let program = AdoptedPackage.program(survey.settings.role)
        var lines = ["", "\(program): \(survey.copied.count) of \(survey.copied.count + survey.leftOut.count) sources"]
        for source in survey.leftOut { lines.append("  without \(source.path): \(source.reason)") }
        for clash in survey.clashes {
            lines.append(
                "  twice: \(clash.files.joined(separator: " and ")) declare \(clash.name); name what only one device "
                    + "compiles by --phone and --watch, or leave one out by --leave-out")
        }
        if let delegate = survey.delegates.first, let expression = delegate.expression {
            let relation = delegate.creator.map { "; \($0) creates \(delegate.name)" } ?? ""
            lines.append("  starts with \(expression)\(relation), which conforms to WCSessionDelegate")
        } else {
            lines.append("  \(missingStart(survey))")
        }
        return lines
    }

    /// The sentence about a device whose program does not bring up the layer.
    private static func missingStart(_ survey: LayerSurvey) -> String {
        let main = "Sources/\(AdoptedPackage.program(survey.settings.role))/main.swift"
        if let delegate = survey.delegates.first {
            return "put a line that brings up the layer into \(main): the initialisers of \(delegate.name), "
                + "which conforms to WCSessionDelegate, need arguments"
        }
        if let lost = survey.leftOut.first(where: { !$0.delegates.isEmpty }) {
            return "the layer itself is missing: \(lost.delegates[0]), which conforms to WCSessionDelegate, is in "
                + "\(lost.path), which is left out"
        }
        return "put a line that brings up the layer into \(main): nothing conforms to WCSessionDelegate"
    }

    // MARK: - JSON

    var json: JSONValue {
        [
            "package": .string(path), "name": .string(package.name),
            "devices": .array(package.surveys.map(Self.json)),
            "missing": .array(
                gaps.map { gap, roles in
                    [
                        "file": .string(gap.file), "line": .integer(Int64(gap.line)),
                        "kind": .string(gap.kind.rawValue),
                        "name": .string(gap.name), "devices": .array(roles.map { .string($0.rawValue) }),
                        "suppliedBy": gap.supply.map { .string($0.rawValue) } ?? .null, "advice": .string(gap.advice),
                    ]
                }),
        ]
    }

    private static func json(_ survey: LayerSurvey) -> JSONValue {
        [
            "role": .string(survey.settings.role.rawValue),
            "program": .string(AdoptedPackage.program(survey.settings.role)),
            "copied": .array(survey.copied.map { .string($0) }),
            "leftOut": .array(survey.leftOut.map { ["file": .string($0.path), "reason": .string($0.reason)] }),
            "faces": .array(survey.faces.map(\.rawValue).sorted().map { .string($0) }),
            "delegates": .array(
                survey.delegates.map {
                    ["name": .string($0.name), "expression": $0.expression.map { .string($0) } ?? .null]
                }),
            "clashes": .array(
                survey.clashes.map { ["name": .string($0.name), "files": .array($0.files.map { .string($0) })] }),
        ]
    }
}
