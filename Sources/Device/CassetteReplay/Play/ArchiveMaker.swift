import Cassettes
import Foundation
import KeyedArchive

/// Keyed archives with the classes and keys of recorded ones.
struct ArchiveMaker {
    private(set) var values: PlayedValues
    private var objects: [PropertyListValue] = [.string("$null")]
    private var classes: [String: PropertyListValue] = [:]

    init(_ values: PlayedValues) { self.values = values }

    /// Returns the archive whose description is given: a root object, or a dictionary of all roots.
    mutating func archive(of content: RedactedValue) -> PropertyListValue {
        let top = top(content)
        return .dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(top),
            "$objects": .array(objects),
        ])
    }

    private mutating func top(_ content: RedactedValue) -> [String: PropertyListValue] {
        guard case .wrapped(RedactedValue.rootsKey, .entries(let roots)) = Shape(content) else {
            return ["root": reference(content)]
        }
        var top: [String: PropertyListValue] = [:]
        for (key, root) in roots.sorted(by: { $0.key < $1.key }) { top[key] = inline(root) ?? reference(root) }
        return top
    }

    private mutating func add(_ object: PropertyListValue) -> PropertyListValue {
        objects.append(object)
        return .uid(UInt32(objects.count - 1))
    }

    private mutating func reference(toClass name: String) -> PropertyListValue {
        if let known = classes[name] { return known }
        let chain = name == "NSObject" ? [name] : [name, "NSObject"]
        let reference = add(
            .dictionary(["$classname": .string(name), "$classes": .array(chain.map { .string($0) })]))
        classes[name] = reference
        return reference
    }

    /// Adds the object of a content, and returns the reference to it.
    private mutating func reference(_ content: RedactedValue) -> PropertyListValue {
        switch Shape(content) {
        case .leaf(let leaf): return reference(leaf)
        case .list(let elements): return collection("NSArray", elements)
        case .wrapped(RedactedValue.setKey, .list(let elements)): return collection("NSSet", elements)
        case .wrapped(RedactedValue.objectKey, let inner): return reference(inner)
        case .wrapped: return add(values.value(content))
        case .keys(let entries, nil): return dictionary(entries)
        case .keys(let entries, let name?): return object(entries, name)
        }
    }

    private mutating func reference(_ leaf: Leaf) -> PropertyListValue {
        let value = values.value(leaf)
        switch value {
        case .null: return .uid(0)
        case .date(let seconds):
            return add(.dictionary(["NS.time": .real(seconds), "$class": reference(toClass: "NSDate")]))
        case .string(let text) where leaf.type == "identifier":
            guard let identifier = UUID(uuidString: text) else { return add(value) }
            let bytes = withUnsafeBytes(of: identifier.uuid) { Data($0) }
            return add(.dictionary(["NS.uuidbytes": .data(bytes), "$class": reference(toClass: "NSUUID")]))
        case .boolean, .integer, .unsigned, .float, .real, .data, .string, .uid, .array, .set, .dictionary:
            return add(value)
        }
    }

    private mutating func collection(_ name: String, _ elements: [RedactedValue]) -> PropertyListValue {
        let references = elements.map { reference($0) }
        return add(.dictionary(["NS.objects": .array(references), "$class": reference(toClass: name)]))
    }

    private mutating func dictionary(_ entries: [String: RedactedValue]) -> PropertyListValue {
        let sorted = entries.sorted { $0.key < $1.key }
        let keys = sorted.map { add(.string($0.key)) }
        let objects = sorted.map { reference($0.value) }
        return add(
            .dictionary([
                "NS.keys": .array(keys), "NS.objects": .array(objects), "$class": reference(toClass: "NSDictionary"),
            ]))
    }

    /// Adds an object whose numbers are stored in it, as archivers do with numbers that are no objects.
    private mutating func object(_ entries: [String: RedactedValue], _ name: String) -> PropertyListValue {
        var stored: [String: PropertyListValue] = ["$class": reference(toClass: name)]
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            stored[key] = inline(entry) ?? reference(entry)
        }
        return add(.dictionary(stored))
    }

    private mutating func inline(_ content: RedactedValue) -> PropertyListValue? {
        guard case .leaf(let leaf) = Shape(content), ["boolean", "integer", "real"].contains(leaf.type) else {
            return nil
        }
        return values.value(leaf)
    }
}
