package import Foundation

/// The key paths whose values differ from run to run of one build: drawn by chance, or counted over all runs.
package struct Variables: Equatable, Sendable {
    /// The name of the file in the directory of an accepted course.
    package static let file = "variables.json"

    /// The key paths by kind of event.
    package private(set) var paths: [String: Set<String>] = [:]

    package init() {}

    /// Learns from runs of the same build with different seeds and at different times, each compared with the first.
    package init(_ comparisons: [TapeComparison]) {
        for deviation in comparisons.flatMap(\.deviations) {
            guard case .content(let change) = deviation.kind else { continue }
            switch change.kind {
            case .value, .identity: paths[deviation.event, default: []].insert(change.path)
            case .missing, .added, .type, .count, .className: break
            }
        }
    }

    /// The file's bytes.
    package func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(paths.mapValues { $0.sorted() }) + Data("\n".utf8)
    }

    package init(data: Data) throws { paths = try JSONDecoder().decode([String: Set<String>].self, from: data) }
}
