import Foundation

/// A value of a redacted content: its type, and either its token or the value itself.
package struct Leaf: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case token(String)
        case value(String)
        /// `null`, `omitted` and `cycle`: the type says everything.
        case nothing
    }

    /// `string`, `uuid`, `identifier`, `data`, `integer`, `real`, `boolean`, `date`, `null`, `omitted` or `cycle`.
    package let type: String
    /// The rounded size, or the bound of a number's magnitude; kept values have none.
    package let size: String?
    package let content: Content

    package init(_ text: String) {
        let type = text.prefix { $0 != "~" && $0 != "=" }
        let rest = text[type.endIndex...]
        if rest.first == "=" {
            let value = String(rest.dropFirst())
            // A kept text stays as it is, whatever it says; it has the same type as its token would have.
            self.type = type == "string" && UUID(uuidString: value) != nil ? "uuid" : String(type)
            (size, content) = (nil, .value(value))
            return
        }
        self.type = String(type)
        let parts = rest.dropFirst().split(separator: "~", omittingEmptySubsequences: false)
        size = parts.count == 2 ? String(parts[0]) : nil
        content = parts.last.map { $0.isEmpty ? .nothing : .token(String($0)) } ?? .nothing
    }

    /// True for an identifier: equal ones are copies of each other.
    var isIdentifier: Bool { type == "uuid" || type == "identifier" }

    /// True for a value that an app makes anew in each run, and that is equal to another one only as its copy.
    var isMadeAnew: Bool { isIdentifier || type == "date" }

    package var value: String? {
        if case .value(let value) = content { value } else { nil }
    }

    /// The text by which equal values are known: the token, or the value with its type.
    var identity: String? {
        switch content {
        case .token(let token): token
        case .value(let value): "=\(value)"
        case .nothing: nil
        }
    }
}
