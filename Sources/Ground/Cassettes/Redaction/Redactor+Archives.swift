import Foundation
import KeyedArchive

/// Keyed archives: their objects are described as the tree that they are read as, so that equal objects have equal
/// descriptions, in whatever order an archiver stored them.
extension Redactor {
    func redacted(_ graph: KeyedGraph, _ path: String, _ depth: Int, _ count: inout Int) -> RedactedValue {
        if graph.top.count == 1, let root = graph.top["root"] {
            return redacted(root, of: graph, [], path, depth, &count)
        }
        return .entries([RedactedValue.rootsKey: entries(graph.top, of: graph, [], path, depth, &count)])
    }

    /// Returns the description of a value that may contain references.
    ///
    /// - Parameter open: The objects that contain it.
    private func redacted(
        _ value: PropertyListValue, of graph: KeyedGraph, _ open: Set<UInt32>, _ path: String, _ depth: Int,
        _ count: inout Int
    ) -> RedactedValue {
        guard depth <= Self.deepest, count <= Self.mostValues else {
            count += 1
            return Self.omitted
        }
        switch value {
        case .uid(let number):
            guard let object = graph[number] else { return .leaf("null") }
            guard !open.contains(number) else { return .leaf("cycle") }
            count += 1
            return redacted(object, of: graph, open.union([number]), path, depth, &count)
        case .array(let elements): return .list(list(elements, of: graph, open, path, depth, &count))
        case .dictionary(let entries): return object(entries, of: graph, open, path, depth, &count)
        case .null, .boolean, .integer, .unsigned, .float, .real, .date, .data, .string, .set:
            return redacted(value, path, depth, &count)
        }
    }

    private func list(
        _ elements: [PropertyListValue], of graph: KeyedGraph, _ open: Set<UInt32>, _ path: String, _ depth: Int,
        _ count: inout Int
    ) -> [RedactedValue] {
        var list: [RedactedValue] = []
        for element in elements {
            list.append(redacted(element, of: graph, open, path + "[]", depth + 1, &count))
            guard count <= Self.mostValues else { break }
        }
        return list
    }

    private func entries(
        _ entries: [String: PropertyListValue], of graph: KeyedGraph, _ open: Set<UInt32>, _ path: String,
        _ depth: Int, _ count: inout Int
    ) -> RedactedValue {
        var redacted: [String: RedactedValue] = [:]
        let className = graph.className(entries)
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) where key != "$class" {
            let name = self.key(key)
            let shown = self.redacted(value, of: graph, open, Self.path(path, name), depth + 1, &count)
            let isObject = className != nil && graph.isNumberObject(value)
            redacted[name] = isObject ? .entries([RedactedValue.objectKey: shown]) : shown
            guard count <= Self.mostValues else { break }
        }
        if let name = className {
            redacted[RedactedValue.classKey] = .leaf(rules.isName(name) ? "string=\(name)" : token("string", name))
        }
        return .entries(redacted)
    }

    /// Returns the description of an object: Foundation's values as what they are, others with their class.
    private func object(
        _ entries: [String: PropertyListValue], of graph: KeyedGraph, _ open: Set<UInt32>, _ path: String,
        _ depth: Int, _ count: inout Int
    ) -> RedactedValue {
        let elements: [PropertyListValue]? =
            if case .array(let elements) = entries["NS.objects"] { elements } else { nil }
        switch (graph.className(entries), elements) {
        case ("NSArray", let elements?), ("NSMutableArray", let elements?):
            return .list(list(elements, of: graph, open, path, depth, &count))
        case ("NSSet", let elements?), ("NSMutableSet", let elements?):
            let list = list(elements, of: graph, open, path, depth, &count)
            return .entries([RedactedValue.setKey: .list(list.sorted { $0.text < $1.text })])
        case ("NSDictionary", let elements?), ("NSMutableDictionary", let elements?):
            if let plain = dictionary(entries, elements, of: graph) {
                return self.entries(plain, of: graph, open, path, depth, &count)
            }
        default:
            if let identifier = identifier(entries, of: graph) {
                return self.identifier(identifier, "identifier", path)
            }
            if let value = value(entries, of: graph) { return redacted(value, path, depth, &count) }
        }
        return self.entries(entries, of: graph, open, path, depth, &count)
    }

    /// Returns a dictionary whose keys are texts; nil for another.
    private func dictionary(
        _ entries: [String: PropertyListValue], _ elements: [PropertyListValue], of graph: KeyedGraph
    ) -> [String: PropertyListValue]? {
        guard case .array(let keys) = entries["NS.keys"], keys.count == elements.count else { return nil }
        var plain: [String: PropertyListValue] = [:]
        for (key, element) in zip(keys, elements) {
            guard case .string(let name) = graph.target(key), name != "$class" else { return nil }
            plain[name] = element
        }
        return plain
    }

    /// Returns the identifier that an object is; nil for another object.
    private func identifier(_ entries: [String: PropertyListValue], of graph: KeyedGraph) -> UUID? {
        guard graph.className(entries) == "NSUUID", case .data(let bytes) = entries["NS.uuidbytes"],
            bytes.count == MemoryLayout<uuid_t>.size
        else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns a date, data or a text; nil for another object.
    private func value(_ entries: [String: PropertyListValue], of graph: KeyedGraph) -> PropertyListValue? {
        switch graph.className(entries) {
        case "NSDate":
            if case .real(let seconds) = entries["NS.time"] { return .date(seconds) }
        case "NSData", "NSMutableData":
            if case .data(let data) = graph.target(entries["NS.data"]) { return .data(data) }
        case "NSString", "NSMutableString":
            if case .string(let text) = graph.target(entries["NS.string"]) { return .string(text) }
        default: break
        }
        return nil
    }
}
