import Foundation
import KeyedArchive

/// A graph of objects with any references: shared, cyclic, equal but distinct. The first is the root.
struct Graph {
    var nodes: [GraphNode]

    /// Returns the keyed archive of the graph: the same bytes for the same graph, in every process.
    func archive() throws -> Data {
        var classNames: [String] = []
        var objects: [PropertyListValue] = [.string("$null")]
        for node in nodes { objects.append(value(of: node, &classNames)) }
        for name in classNames {
            objects.append(
                .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])]))
        }
        return try PropertyListValue.dictionary([
            "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
            "$top": .dictionary(["root": uid(0)]), "$objects": .array(objects),
        ]).binaryData()
    }

    /// Returns the UID of a node. Nil comes before the nodes.
    private func uid(_ node: Int) -> PropertyListValue { .uid(UInt32(node + 1)) }

    private func value(of node: GraphNode, _ classNames: inout [String]) -> PropertyListValue {
        var (entries, name) = ([String: PropertyListValue](), "")
        switch node {
        case .inline(let value): return value
        case .object(let className, let values, let references):
            (entries, name) = (values.merging(references.mapValues(uid)) { $1 }, className)
        case .collection(let className, let form, let elements, let keys):
            name = className
            switch form {
            case .lists:
                entries["NS.objects"] = .array(elements.map(uid))
                if !keys.isEmpty || className.hasSuffix("Dictionary") { entries["NS.keys"] = .array(keys.map(uid)) }
            case .numbered:
                for (position, element) in elements.enumerated() { entries["NS.object.\(position)"] = uid(element) }
                for (position, key) in keys.enumerated() { entries["NS.key.\(position)"] = uid(key) }
            case .counted:
                entries["NS.count"] = .integer(Int64(elements.count))
                for (position, element) in elements.enumerated() {
                    entries["NS.object\(position)"] = uid(element)
                    entries["NS.count\(position)"] = .integer(Int64(1 + position % 3))
                }
            }
        }
        let place = classNames.firstIndex(of: name) ?? classNames.count
        if place == classNames.count { classNames.append(name) }
        entries["$class"] = uid(nodes.count + place)
        return .dictionary(entries)
    }
}
