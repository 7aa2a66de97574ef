package import Foundation

/// The key paths whose values differ from run to run of one build: drawn by chance, or counted over all runs.
package struct Variables: Equatable, Sendable {
    /// The name of the file in the directory of an accepted course.
    package static let file = "variables.json"

    /// The key paths by kind of event.
    package private(set) var paths: [String: VariablePaths] = [:]

    package init() {}

    /// Learns from runs of the same build with different seeds and at different times, each compared with the first.
    package init(_ comparisons: [TapeComparison]) {
        for deviation in comparisons.flatMap(\.deviations) {
            guard case .content(let change) = deviation.kind else { continue }
            switch change.kind {
            case .value, .identity, .merged:
                paths[deviation.event, default: VariablePaths()].insert(change.path, isDrawn: change.isOfIdentity)
            case .missing, .added, .type, .count, .className: break
            }
        }
    }

    // MARK: - The file

    /// The content of the file: sorted key paths by kind of event.
    private struct Content: Codable {
        var values: [String: [String]] = [:]
        var drawn: [String: [String]] = [:]
    }

    /// The file's bytes.
    package func data() throws -> Data {
        var content = Content()
        for (event, paths) in paths {
            if !paths.values.isEmpty { content.values[event] = paths.values.sorted() }
            if !paths.drawn.isEmpty { content.drawn[event] = paths.drawn.sorted() }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(content) + Data("\n".utf8)
    }

    package init(data: Data) throws {
        let decoder = JSONDecoder()
        // A file of an earlier version, which did not tell them apart, is no error: what is wrong with one of this version is.
        if let former = try? decoder.decode([String: Set<String>].self, from: data) {
            paths = former.mapValues { VariablePaths(values: $0, drawn: $0) }
            return
        }
        let content = try decoder.decode(Content.self, from: data)
        for event in Set(content.values.keys).union(content.drawn.keys) {
            paths[event] = VariablePaths(
                values: Set(content.values[event] ?? []), drawn: Set(content.drawn[event] ?? []))
        }
    }
}
