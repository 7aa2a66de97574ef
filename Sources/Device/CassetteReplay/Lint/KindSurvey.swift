import Cassettes

/// The key paths, sets of keys and events of one kind of content in one cassette.
struct KindSurvey: Sendable {
    /// The most sets of keys of one kind that are told apart. 256: messages that have more are data, not structure.
    private static let mostShapes = 256
    /// The part of a path that stands for keys that are data.
    private static let anyKey = "*"

    /// A key path, and its last key: a key can contain dots.
    private struct Place {
        let path: String
        let key: String

        var ofElements: Place { Place(path: path + "[]", key: key) }

        func of(_ key: String) -> Place { Place(path: path.isEmpty ? key : "\(path).\(key)", key: key) }
    }

    private(set) var seen: Seen?
    private(set) var paths: [String: PathSurvey] = [:]
    private(set) var shapes: [KeyShape: KeyShape.Fate] = [:]
    /// The paths that are still to be learned.
    private var room = 0
    /// The word that says what kind of content is learned; empty if none is shown.
    private var word = ""

    /// Learns a content.
    ///
    /// - Parameters:
    ///   - fate: The events that have it, and what became of them.
    ///   - room: The number of new paths that are learned.
    /// - Returns: The number of paths that are new.
    mutating func learn(_ content: RedactedValue, _ fate: KeyShape.Fate, room: Int) -> Int {
        let former = paths.count
        self.room = former + room
        word = Self.word(of: content)
        if seen == nil { seen = fate.seen } else { seen?.add(fate.seen) }
        learn(content, Place(path: "", key: ""), fate, isJSON: false)
        return paths.count - former
    }

    /// Returns the word that says what kind of content it is, such as `kind=lap`, if it is shown: contents of one call mean
    /// different things by such a key.
    private static func word(of content: RedactedValue) -> String {
        guard case .keys(let entries, _) = Shape(content) else { return "" }
        let words = entries.keys.filter { KeyWords.isEnumeration($0) }.sorted().compactMap { key in
            entries[key].flatMap(MessageKinds.value).map { "\(key)=\($0)" }
        }
        return words.first ?? ""
    }

    private mutating func learn(_ value: RedactedValue, _ place: Place, _ fate: KeyShape.Fate, isJSON: Bool) {
        let shape = Shape(value)
        if case .wrapped(RedactedValue.objectKey, let inner) = shape {
            return learn(inner, place, fate, isJSON: isJSON)
        }
        guard paths[place.path] != nil || paths.count < room else { return }
        switch shape {
        case .leaf(let leaf): learn(leaf, place, fate.seen, isJSON: isJSON)
        case .list, .keys, .wrapped:
            paths[place.path, default: PathSurvey(key: place.key)].note(type: shape.type, of: word, fate.seen)
            learnParts(shape, place, fate, isJSON: isJSON)
        }
    }

    private mutating func learnParts(_ shape: Shape, _ place: Place, _ fate: KeyShape.Fate, isJSON: Bool) {
        switch shape {
        case .leaf: break
        case .list(let elements):
            for element in elements { learn(element, place.ofElements, fate, isJSON: isJSON) }
        case .wrapped(let key, let inner):
            let isInner = isJSON || key == RedactedValue.jsonKey || key == RedactedValue.jsonTextKey
            learnParts(Shape(inner), place, fate, isJSON: isInner)
        case .keys(let entries, let name):
            // A name that is no name in code has another token in each cassette.
            if let name, !name.contains("~") { paths[place.path]?.note(class: name, fate) }
            let names = entries.keys.filter { !$0.hasPrefix("key~") }
            note(KeyShape(path: place.path, keys: Set(names), word: word), fate)
            for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
                learn(entry, place.of(key.hasPrefix("key~") ? Self.anyKey : key), fate, isJSON: isJSON)
            }
        }
    }

    private mutating func note(_ shape: KeyShape, _ fate: KeyShape.Fate) {
        guard shapes[shape] != nil || shapes.count < Self.mostShapes else { return }
        shapes[shape] = shapes[shape].map { $0.adding(fate) } ?? fate
    }

    private mutating func learn(_ leaf: Leaf, _ place: Place, _ seen: Seen, isJSON: Bool) {
        var survey = paths[place.path, default: PathSurvey(key: place.key)]
        defer { paths[place.path] = survey }
        switch leaf.type {
        case "null", "omitted", "cycle": return
        case "string", "uuid":
            survey.note(type: "string", of: word, seen)
            if leaf.type == "string" { survey.note(value: Self.text(leaf), seen) }
        case "integer", "real":
            // JSON writes 5.0 as 5.
            survey.note(type: isJSON ? "number" : leaf.type, of: word, seen)
            if let bound = Self.bound(leaf) { survey.note(bound: bound, isWhole: leaf.type == "integer", seen) }
            if leaf.type == "integer" { survey.note(value: Self.text(leaf), seen) }
        default: survey.note(type: Shape.leaf(leaf).type, of: word, seen)
        }
    }

    private static func text(_ leaf: Leaf) -> String {
        switch leaf.content {
        case .value(let value): "\(leaf.type)=\(value)"
        case .token(let token): "\(leaf.type)~\(leaf.size ?? "")~\(token)"
        case .nothing: leaf.type
        }
    }

    /// Returns the power of 16 that a number's magnitude is below; infinity beyond all.
    private static func bound(_ leaf: Leaf) -> Double? {
        let size = leaf.value.flatMap { Double($0) }.map { RoundedSize.magnitude($0) } ?? leaf.size
        return size.map { size in Double(size).map { abs($0) } ?? .infinity }
    }
}
