/// A difference between two contents, at a key path.
package struct ContentChange: Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// A key of the recorded content is missing.
        case missing
        /// A key is there that the recorded content lacks.
        case added
        case type(from: String, to: String)
        case value(from: String, to: String)
        /// A list has another number of elements.
        case count(from: Int, to: Int)
        /// The name of a class in a keyed archive.
        case className(from: String, to: String)
        /// A value is no longer the same as at the place where it was first seen.
        case identity
        /// A value is that of another place, where a new one was recorded.
        case merged

        /// True for a change of values, not of structure.
        var isOfValue: Bool {
            switch self {
            case .value, .count, .identity, .merged: true
            case .missing, .added, .type, .className: false
            }
        }
    }

    /// The key path, such as `answers[].points`; empty for the whole content.
    package let path: String
    package let kind: Kind

    /// True for an identifier that stands for another one than before.
    var isOfIdentity: Bool { kind == .identity || kind == .merged }

    package init(_ path: String, _ kind: Kind) { (self.path, self.kind) = (path, kind) }

    package var verdict: Verdict {
        switch kind {
        case .added: .equivalent
        case .missing, .type, .value, .count, .identity, .merged: .changed
        // The counterpart's unarchiver knows the old name only.
        case .className: .broken
        }
    }

    /// True for a change that messages of different kinds have: keys, types, and texts, which often name the kind. Numbers and
    /// truth values differ between messages of one kind.
    var isOfKind: Bool {
        switch kind {
        case .missing, .type, .className: true
        case .value(let from, _): !Self.isNumber(from)
        case .added, .count, .identity, .merged: false
        }
    }

    /// Returns true for a number or truth value as it is shown.
    private static func isNumber(_ shown: String) -> Bool {
        let word = String(shown.dropFirst().dropLast())
        return Double(word) != nil || Bool(word) != nil
    }

    package var description: String {
        let place = path.isEmpty ? "the content" : path
        return switch kind {
        case .missing: "\(place) is missing"
        case .added: "\(place) is new"
        case .type(let from, let to): "\(place) was \(Self.article(from)), is \(Self.article(to))"
        case .value(let from, let to): "\(place) was \(from), is \(to)"
        case .count(let from, let to): "\(place) had \(from) elements, has \(to)"
        case .className(let from, let to):
            "\(place) is an object of class \(to); a counterpart that knows \(from) cannot decode it"
        case .identity: "\(place) no longer repeats the value that it repeated"
        case .merged: "\(place) repeats a value where a new one was recorded"
        }
    }

    static func article(_ type: String) -> String {
        switch type {
        case "null", "data", "JSON in data", "JSON in a text", "JSON in base64": type
        default: "aeiou".contains(type.first ?? "x") ? "an \(type)" : "a \(type)"
        }
    }
}
