package import Cassettes

/// The comparison of two contents by their redacted forms, whatever either shows of its values.
package struct ContentComparison {
    /// The most changes of one content that are listed. 64: more tell a reader no more.
    private static let mostChanges = 64

    /// The key paths whose values differ from run to run.
    private let variables: VariablePaths
    private var bindings: Bindings
    private var changes: [ContentChange] = []
    /// True within a JSON document, where 5.0 is written as 5.
    private var isJSON = false

    /// Returns the changes from a recorded to a replayed content; a list of elements has one path for all, and each change
    /// is listed once.
    ///
    /// - Parameters:
    ///   - bindings: The values that are known from earlier contents; new ones are added.
    ///   - variables: The key paths whose values differ from run to run.
    package static func changes(
        from recorded: RedactedValue?, to replayed: RedactedValue?, _ bindings: inout Bindings,
        variables: VariablePaths = VariablePaths()
    ) -> [ContentChange] {
        switch (recorded, replayed) {
        case (nil, nil): return []
        case (nil, _?): return [ContentChange("", .added)]
        case (_?, nil): return [ContentChange("", .missing)]
        case (let recorded?, let replayed?):
            var comparison = ContentComparison(variables: variables, bindings: bindings)
            comparison.compare(recorded, replayed, "")
            bindings = comparison.bindings
            return comparison.changes
        }
    }

    private init(variables: VariablePaths, bindings: Bindings) {
        (self.variables, self.bindings) = (variables, bindings)
    }

    private mutating func note(_ path: String, _ kind: ContentChange.Kind) {
        let change = ContentChange(path, kind)
        guard changes.count < Self.mostChanges, !changes.contains(change) else { return }
        changes.append(change)
    }

    private mutating func compare(_ recorded: RedactedValue, _ replayed: RedactedValue, _ path: String) {
        let (old, new) = (Shape(recorded), Shape(replayed))
        switch (old, new) {
        case (.leaf(let old), .leaf(let new)) where old.type == new.type: compare(old, new, path)
        case (.leaf(let old), .leaf(let new)) where isJSON && isSameNumber(old, new, path): compare(old, new, path)
        // Values beyond the bounds of a description are unknown.
        case (.leaf(let leaf), _) where leaf.type == "omitted": break
        case (_, .leaf(let leaf)) where leaf.type == "omitted": break
        case (.list(let old), .list(let new)): compare(old, new, path)
        case (.wrapped(RedactedValue.setKey, .list(let old)), .wrapped(RedactedValue.setKey, .list(let new))):
            compare(sets: old, new, path)
        case (.wrapped(RedactedValue.base64Key, let oldInner), .wrapped(RedactedValue.base64Key, let newInner))
        where Shape(oldInner).type != Shape(newInner).type:
            note(path, .type(from: old.type, to: new.type))
        case (.wrapped(let old, let oldInner), .wrapped(let new, let newInner)) where old == new:
            let isOuterJSON = isJSON
            isJSON = isJSON || old == RedactedValue.jsonKey || old == RedactedValue.jsonTextKey
            compare(oldInner, newInner, path)
            isJSON = isOuterJSON
        // A number that is stored as an object is decoded like one that is not.
        case (.wrapped(RedactedValue.objectKey, let old), .leaf): compare(old, replayed, path)
        case (.leaf, .wrapped(RedactedValue.objectKey, let new)): compare(recorded, new, path)
        case (.keys(let old, let oldName), .keys(let new, let newName)):
            switch (oldName, newName) {
            case (let from?, let to?) where from != to: note(path, .className(from: from, to: to))
            case (nil, _?), (_?, nil): note(path, .type(from: Shape(recorded).type, to: Shape(replayed).type))
            default: break
            }
            compare(old, new, path)
        default: note(path, .type(from: old.type, to: new.type))
        }
    }

    private mutating func compare(
        _ recorded: [String: RedactedValue], _ replayed: [String: RedactedValue], _ path: String
    ) {
        // Keys that are no names are data; each cassette has its own tokens for them.
        let (old, new) = (recorded.filter { !Self.isData($0.key) }, replayed.filter { !Self.isData($0.key) })
        for key in Set(old.keys).union(new.keys).sorted() {
            let place = path.isEmpty ? key : "\(path).\(key)"
            switch (old[key], new[key]) {
            case (let old?, let new?): compare(old, new, place)
            case (_?, nil): note(place, .missing)
            case (nil, _): note(place, .added)
            }
        }
        let (oldData, newData) = (recorded.count - old.count, replayed.count - new.count)
        if oldData != newData { note(path, .count(from: oldData, to: newData)) }
    }

    private static func isData(_ key: String) -> Bool { key.hasPrefix("key~") }

    private mutating func compare(_ recorded: [RedactedValue], _ replayed: [RedactedValue], _ path: String) {
        if recorded.count != replayed.count { note(path, .count(from: recorded.count, to: replayed.count)) }
        for (old, new) in zip(recorded, replayed) { compare(old, new, path + "[]") }
    }

    /// Compares sets, whose elements have no order: by their structure, and not by their values.
    private mutating func compare(sets recorded: [RedactedValue], _ replayed: [RedactedValue], _ path: String) {
        if recorded.count != replayed.count { note(path, .count(from: recorded.count, to: replayed.count)) }
        func types(_ elements: [RedactedValue]) -> [String] { Set(elements.map { Shape($0).type }).sorted() }
        let (old, new) = (types(recorded), types(replayed))
        guard old != new else { return }
        note(path + "[]", .type(from: old.joined(separator: ", "), to: new.joined(separator: ", ")))
    }

    private mutating func compare(_ recorded: Leaf, _ replayed: Leaf, _ path: String) {
        let relation = bindings.bind(recorded, replayed)
        if relation != .bound {
            if !variables.drawn.contains(path) { note(path, relation == .parted ? .identity : .merged) }
            return
        }
        guard let old = recorded.value, let new = replayed.value, old != new, !recorded.isMadeAnew,
            !variables.values.contains(path) || hasOtherForm(recorded, replayed)
        else { return }
        note(path, .value(from: Self.shown(old), to: Self.shown(new)))
    }

    /// Returns true if both values are of a known form, and that is not the same, such as seconds and milliseconds.
    private func hasOtherForm(_ recorded: Leaf, _ replayed: Leaf) -> Bool {
        guard let old = ValueForm.of(recorded), let new = ValueForm.of(replayed) else { return false }
        return old != new
    }

    /// Returns true if one of two numbers of a JSON document is whole only by its value: a number with a fraction that has
    /// become whole, which is another value, or one that differs from run to run. What was whole may be read as such.
    private func isSameNumber(_ recorded: Leaf, _ replayed: Leaf, _ path: String) -> Bool {
        switch (recorded.type, replayed.type) {
        case ("real", "integer"): true
        case ("integer", "real"): variables.values.contains(path) && !hasOtherForm(recorded, replayed)
        default: false
        }
    }

    /// The longest part of a value that is shown. 40 characters fit into a line.
    private static let longestShown = 40

    private static func shown(_ value: String) -> String {
        value.count <= longestShown ? "“\(value)”" : "“\(value.prefix(longestShown))…”"
    }
}
