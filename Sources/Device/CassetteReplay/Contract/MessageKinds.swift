import Cassettes

/// The kinds of an app's messages and transfers: by the call, and by the value of the key that says what a message is, where
/// its values are kept in the recording.
///
/// Many apps send all they have to say by one call, `["kind": "lap", …]` and `["kind": "finish", …]`. Taken together, no key
/// of them is there always.
struct MessageKinds {
    /// The keys that say what a message is, by the call.
    let keys: [String: String]

    /// Finds the keys.
    init(_ tape: AppTape) {
        var contents: [String: [[String: RedactedValue]]] = [:]
        for event in tape.events where event.role.hasOwnContent {
            if let entries = Self.entries(event) { contents[event.kind, default: []].append(entries) }
        }
        keys = contents.compactMapValues(Self.key)
    }

    init(keys: [String: String]) { self.keys = keys }

    /// Returns the kind of an event, such as `sendMessage` or `sendMessage kind=lap`; that of an answer says what it answers.
    func name(of event: AppEvent, in tape: AppTape) -> String {
        let message =
            switch event.role {
            case .answer, .droppedAnswer: tape.delivery(of: event.package)
            case .outcome where event.kind == "replyHandler": tape.call(of: event.package)
            default: event
            }
        guard let message, let key = keys[message.kind], let value = Self.entries(message)?[key].flatMap(Self.value)
        else {
            return event.kind
        }
        return "\(event.kind) \(key)=\(value)"
    }

    /// Returns the key that tells contents apart: one that a key for an enumeration is named like, or by whose values the
    /// other keys are different ones.
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
            shapes[value, default: []].insert(Set(entries.keys))
        }
        guard (2...EnumerationRule.mostCases).contains(shapes.count) else { return false }
        return KeyWords.isEnumeration(key)
            || shapes.values.allSatisfy { $0.count == 1 } && Set(shapes.values).count == shapes.count
    }

    private static func entries(_ event: AppEvent) -> [String: RedactedValue]? {
        guard let content = event.content, case .keys(let entries, _) = Shape(content) else { return nil }
        return entries
    }

    /// Returns a kept value that can name a kind: a name in code, or a small whole number.
    private static func value(_ value: RedactedValue) -> String? {
        guard case .leaf(let leaf) = Shape(value), let text = leaf.value else { return nil }
        switch leaf.type {
        case "string": return RedactionRules().isName(text) ? text : nil
        case "integer": return Int64(text).map { (0..<EnumerationRule.wholeBound).contains($0) } == true ? text : nil
        default: return nil
        }
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
