import CassetteReplay
import Configuration
import Foundation
import ServiceRuntime
import Words

/// The table of all pairs, and what breaks in which.
struct SkewReport {
    /// The most kinds of findings of a pair that are shown. 5: the rest follows from them.
    private static let mostShown = 5

    private let cells: [SkewCell]

    /// The directory of all builds, which is not repeated in each name.
    private let folder: String

    init(_ cells: [SkewCell]) {
        self.cells = cells
        let builds = cells.flatMap { $0.isLive ? [$0.build, $0.other] : [$0.build] }
        folder = Self.commonFolder(of: builds.filter { $0.contains("/") })
    }

    /// Returns the directory, with a slash, that the programs of all titles are in; empty if there is none.
    private static func commonFolder(of titles: [String]) -> String {
        func directory(_ path: Substring) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }
        let folders = titles.map { directory($0.prefix { $0 != " " }) }
        return directory(folders.dropFirst().reduce(folders.first ?? "") { $0.commonPrefix(with: $1) }[...])
    }

    private func short(_ title: String) -> String {
        String(title.dropFirst(title.hasPrefix(folder) ? folder.count : 0))
    }

    var text: String {
        var others: [String] = []
        var builds: [String] = []
        for cell in cells {
            if !others.contains(cell.other) { others.append(cell.other) }
            if !builds.contains(cell.build) { builds.append(cell.build) }
        }
        let rows = builds.map { build in
            [short(build)]
                + others.map { other in
                    cells.first { $0.build == build && $0.other == other }?.verdict.rawValue ?? "–"
                }
        }
        return ([TextTable.text([[""] + others.map(short)] + rows)] + details + ends + sinces).joined(separator: "\n")
    }

    private var details: [String] {
        cells.flatMap { cell -> [String] in
            let found = cell.findings.filter { $0.verdict > .equivalent }
            guard !found.isEmpty else { return [] }
            var counts: [String: Int] = [:]
            for finding in found { counts[finding.deviation.name, default: 0] += 1 }
            var seen: Set<String> = []
            let kinds = found.filter { seen.insert($0.deviation.name).inserted }
            let lines = kinds.prefix(Self.mostShown).map { finding in
                let count = counts[finding.deviation.name] ?? 1
                return "  \(finding.verdict.rawValue): \(Self.line(finding, count))"
            }
            let cause = cell.cause.map { "  first: \(Self.line($0))" }
            let rest = kinds.count - Self.mostShown
            return ["", "\(short(cell.build)) with \(short(cell.other)):"] + (cause.map { [$0] } ?? []) + lines
                + (rest > 0 ? ["  and \(rest) more"] : [])
        }
    }

    private static func line(_ finding: SkewFinding, _ count: Int = 1) -> String {
        finding.text + (count > 1 ? ", \(count) times" : "") + " [\(finding.deviation.name)]"
    }

    /// A line for each pair that was ended early.
    private var ends: [String] {
        let lines = cells.compactMap { cell in
            cell.ended.map { time in
                "\(short(cell.build)) with \(short(cell.other)): ended at \(time.secondsText), as they flood the link: they took more than \(SkewRun.mostTurnsInAnHour) turns an hour"
            }
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// The first build that does not get on with each counterpart, as builds are given in the order of their age.
    private var sinces: [String] {
        var seen: Set<String> = []
        let first = cells.filter { $0.verdict > .equivalent }.filter { seen.insert($0.other).inserted }
        return first.isEmpty
            ? [] : [""] + first.map { "\(short($0.other)): \($0.verdict.rawValue) since \(short($0.build))" }
    }

    private static func json(_ finding: SkewFinding) -> JSONValue {
        guard case .object(var object) = ReplayReport.json(finding.finding) else { return .null }
        object["place"] = .string(finding.place)
        return .object(object)
    }

    var json: JSONValue {
        .array(
            cells.map { cell in
                [
                    "build": .string(cell.build), "other": .string(cell.other),
                    "verdict": .string(cell.verdict.rawValue),
                    "cause": cell.cause.map(Self.json) ?? .null,
                    "ended": cell.ended.map { .number($0 / .seconds(1)) } ?? .null,
                    "findings": .array(cell.findings.map(Self.json)),
                ]
            })
    }
}
