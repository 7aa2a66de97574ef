import Cassettes

/// The kinds of an app's messages and transfers: by the call, and by the value of the key that says what a message is, where
/// its values are kept in the recording, else by their keys, if they share none.
///
/// Many apps send all they have to say by one call, `["kind": "lap", …]` and `["kind": "finish", …]`, or `["lap": …]` and
/// `["finish": …]`. Taken together, no key of them is there always.
struct MessageKinds: Sendable {
    /// The keys that say what a message is, by the call.
    let keys: [String: String]
    /// The keys of each kind of message, by the call, where kinds share no key. The first one names the kind.
    let families: [String: [[String]]]

    /// Finds the keys, in all tapes together.
    init(_ tapes: [AppTape]) {
        var contents: [String: [[String: RedactedValue]]] = [:]
        for event in tapes.flatMap(\.events) where event.role.hasOwnContent {
            if let entries = event.content.flatMap(Self.entries) { contents[event.kind, default: []].append(entries) }
        }
        let keys = contents.compactMapValues(Self.key)
        self.keys = keys
        families = contents.filter { keys[$0.key] == nil }.compactMapValues(Self.families)
    }

    init(keys: [String: String], families: [String: [[String]]]) { (self.keys, self.families) = (keys, families) }

    /// Returns the kind of an event, such as `sendMessage` or `sendMessage kind=lap`; that of an answer says what it answers.
    func name(of event: AppEvent, in tape: AppTape) -> String {
        let message =
            switch event.role {
            case .answer, .droppedAnswer: tape.delivery(of: event.package)
            case .outcome where event.kind == "replyHandler": tape.call(of: event.package)
            default: event
            }
        guard let message, let word = word(of: message.content, message.kind) else { return event.kind }
        return "\(event.kind) \(word)"
    }

    /// Returns the word that says what kind of message a content of a call is, such as `kind=lap`, or `with lap`.
    func word(of content: RedactedValue?, _ call: String) -> String? {
        guard let entries = content.flatMap(Self.entries) else { return nil }
        if let key = keys[call] { return entries[key].flatMap(Self.value).map { "\(key)=\($0)" } }
        return families[call]?.first { !Set($0).isDisjoint(with: entries.keys) }?.first.map { "with \($0)" }
    }

    /// Returns the keys of contents that share none with the others; nil if all share some.
    private static func families(_ contents: [[String: RedactedValue]]) -> [[String]]? {
        var families: [(all: Set<String>, common: Set<String>)] = []
        for keys in Set(contents.map { Set($0.keys) }) {
            // Keys that are data name no kind.
            guard !keys.isEmpty, !keys.contains(where: { $0.hasPrefix("key~") }) else { return nil }
            let like = families.filter { !$0.all.isDisjoint(with: keys) }
            families.removeAll { !$0.all.isDisjoint(with: keys) }
            families.append(
                (
                    like.reduce(keys) { $0.union($1.all) }, like.reduce(keys) { $0.intersection($1.common) }
                ))
        }
        guard (2...EnumerationRule.mostCases).contains(families.count) else { return nil }
        // A key that is always there is the better name.
        return families.map { $0.common.sorted() + $0.all.subtracting($0.common).sorted() }.sorted { $0[0] < $1[0] }
    }

    /// Returns the key that tells contents apart: one that a key for an enumeration is named like, or one whose values never
    /// have the same key paths beside them, in an envelope as well.
    private static func key(_ contents: [[String: RedactedValue]]) -> String? {
        guard let first = contents.first else { return nil }
        return first.keys.filter { isKey($0, of: contents) }.min { first, second in
            (KeyWords.isEnumeration(first) ? 0 : 1, first) < (KeyWords.isEnumeration(second) ? 0 : 1, second)
        }
    }

    private static func isKey(_ key: String, of contents: [[String: RedactedValue]]) -> Bool {
        var shapes: [String: Set<Set<String>>] = [:]
        for entries in contents {
            guard let value = entries[key].flatMap(value) else { return false }
            var paths: Set<String> = []
            addPaths(of: .entries(entries), "", to: &paths)
            shapes[value, default: []].insert(paths)
        }
        guard (2...EnumerationRule.mostCases).contains(shapes.count) else { return false }
        return KeyWords.isEnumeration(key)
            || shapes.values.reduce(0) { $0 + $1.count } == shapes.values.reduce(into: Set()) { $0.formUnion($1) }.count
    }

    private static func entries(_ content: RedactedValue) -> [String: RedactedValue]? {
        guard case .keys(let entries, _) = Shape(content) else { return nil }
        return entries
    }

    /// Adds the key paths of a value.
    private static func addPaths(of value: RedactedValue, _ path: String, to paths: inout Set<String>) {
        switch Shape(value) {
        case .leaf: paths.insert(path)
        case .list(let elements): for element in elements { addPaths(of: element, path + "[]", to: &paths) }
        case .wrapped(_, let inner): addPaths(of: inner, path, to: &paths)
        case .keys(let entries, _):
            for (key, entry) in entries { addPaths(of: entry, "\(path).\(key)", to: &paths) }
        }
    }

    /// Returns a kept value that can name a kind: a name in code, or a small whole number.
    static func value(_ value: RedactedValue) -> String? {
        guard case .leaf(let leaf) = Shape(value), leaf.type == "string" || leaf.type == "integer",
            EnumerationRule.isRawValue(leaf, isWhole: leaf.type == "integer")
        else { return nil }
        return leaf.value
    }
}

extension EventRole {
    /// True for what one of the two apps sends by itself.
    fileprivate var hasOwnContent: Bool {
        switch self {
        case .call, .delivery: true
        case .answer, .droppedAnswer, .cancel, .activation, .refusal, .outcome, .notice, .link, .action, .fault: false
        }
    }
}
