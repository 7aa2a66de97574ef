package import Foundation

/// The structure of a cassette's contents, learned from their redacted forms: `schema.json`.
package struct CassetteSchema: Codable, Equatable, Sendable {
    /// A key path of a kind of content.
    package struct Path: Codable, Equatable, Sendable {
        /// The types seen and the number of times; numbers with the power of 16 that they are below.
        package var types: [String: Int] = [:]
        /// The number of dictionaries that have the key; nil for elements of lists and for the root.
        package var present: Int?
        /// The number of dictionaries that could have it. It is optional if this is more.
        package var possible: Int?
        /// The names of classes in keyed archives.
        package var classes: [String]?
    }

    /// A kind of content.
    package struct Message: Codable, Equatable, Sendable {
        /// The number of different contents.
        package var contents = 0
        /// The key paths; the root is the empty one.
        package var paths: [String: Path] = [:]
        /// The number of dictionaries at each path, for ``Path/possible``.
        private var dictionaries: [String: Int] = [:]
        /// The keys seen in the dictionaries at each path.
        private var keys: [String: Set<String>] = [:]

        private enum CodingKeys: String, CodingKey { case contents, paths }

        /// Adds a content. Paths beyond the number that is left are not added.
        ///
        /// - Returns: The number of paths that are new.
        mutating func learn(_ value: RedactedValue, room: Int) -> Int {
            let former = paths.count
            contents += 1
            learn(value, "", limit: former + room)
            for (path, count) in dictionaries {
                for key in keys[path] ?? [] { paths[CassetteSchema.path(path, key)]?.possible = count }
            }
            return paths.count - former
        }

        private mutating func learn(_ value: RedactedValue, _ path: String, limit: Int) {
            guard paths[path] != nil || paths.count < limit else { return }
            switch value {
            case .leaf(let leaf):
                note(CassetteSchema.type(of: leaf), at: path)
            case .list(let elements):
                note("list", at: path)
                for element in elements { learn(element, path + "[]", limit: limit) }
            case .entries(let entries):
                if entries.count == 1, let (key, inner) = entries.first, key.hasPrefix("~"),
                    key != RedactedValue.classKey
                {
                    // A number that is an object is a number.
                    if key != RedactedValue.objectKey { note(String(key.dropFirst()), at: path) }
                    // The parts of a document are listed at its own path; its root has been noted as what it is.
                    return learnInner(inner, path, limit)
                }
                noteClass(entries[RedactedValue.classKey], at: path)
                dictionaries[path, default: 0] += 1
                for (key, inner) in entries where key != RedactedValue.classKey {
                    keys[path, default: []].insert(key)
                    let place = CassetteSchema.path(path, key)
                    learn(inner, place, limit: limit)
                    let present = paths[place]?.present ?? 0
                    paths[place]?.present = present + 1
                }
            }
        }

        /// Notes a dictionary, or an object of the class in a leaf.
        private mutating func noteClass(_ name: RedactedValue?, at path: String) {
            guard case .leaf(let leaf) = name else { return note("dictionary", at: path) }
            note("object", at: path)
            let known = Set(paths[path]?.classes ?? [])
            paths[path]?.classes = known.union([String(leaf.trimmingPrefix("string="))]).sorted()
        }

        private mutating func learnInner(_ value: RedactedValue, _ path: String, _ limit: Int) {
            guard case .list(let elements) = value else { return learn(value, path, limit: limit) }
            for element in elements { learn(element, path + "[]", limit: limit) }
        }

        private mutating func note(_ type: String, at path: String) {
            paths[path, default: Path()].types[type, default: 0] += 1
        }
    }

    package var format = CassetteManifest.currentFormat
    /// The kinds of contents: a device's name, a space and an event's kind.
    package var messages: [String: Message] = [:]
    private var pathCount = 0

    private enum CodingKeys: String, CodingKey { case format, messages }

    package init() {}

    /// Adds a content of a kind.
    package mutating func learn(_ value: RedactedValue, of kind: String) {
        pathCount += messages[kind, default: Message()].learn(value, room: CassetteLimits.paths - pathCount)
    }

    /// Returns those of some key paths that no content has, as one that is misspelt: nothing is kept at them.
    package func missing(_ paths: some Sequence<String>) -> [String] {
        guard !messages.isEmpty else { return [] }
        return paths.filter { path in
            path != RedactionRules.everything && !messages.values.contains { $0.paths[path] != nil }
        }.sorted()
    }

    private static func path(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// Returns the type of a leaf: of numbers with their bound, of others alone.
    private static func type(of leaf: String) -> String {
        let type = leaf.prefix { $0 != "~" && $0 != "=" }
        guard type == "integer" || type == "real" else { return String(type) }
        let parts = leaf.split(separator: "~", omittingEmptySubsequences: false)
        return parts.count == 3 ? "\(type) below \(parts[1])" : String(type)
    }

    /// The file's bytes.
    package func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
