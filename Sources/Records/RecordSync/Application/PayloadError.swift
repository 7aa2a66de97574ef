/// The reason why a payload cannot be accepted. Final: a retry changes nothing.
///
/// The reasons name fields and rules, never the content: they are logged.
public enum PayloadError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A field is missing, of the wrong type or out of its bounds.
    case invalid(field: String, reason: String)
    /// The bytes are not those of a payload of this kind.
    case undecodable(String)

    public var description: String {
        switch self {
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .undecodable(let reason): reason
        }
    }

    /// Converts Foundation's error to the terms of a document: the field, and the problem.
    ///
    /// - Parameter place: The location of the decoded part in its file; empty for the whole file.
    package init(_ error: DecodingError, at place: String = "") {
        switch error {
        case .keyNotFound(let key, let context):
            self = .invalid(field: Self.field(context.codingPath + [key], place), reason: "is missing")
        case .typeMismatch(let type, let context):
            self = .invalid(field: Self.field(context.codingPath, place), reason: "is not \(Self.name(type))")
        case .valueNotFound(let type, let context):
            self = .invalid(
                field: Self.field(context.codingPath, place), reason: "is null; expected \(Self.name(type))")
        case .dataCorrupted(let context):
            let isWholeFile = context.codingPath.isEmpty
            self =
                isWholeFile
                ? .undecodable("\(place.isEmpty ? "the file" : place) is not JSON")
                : .invalid(field: Self.field(context.codingPath, place), reason: context.debugDescription)
        @unknown default: self = .undecodable("\(error)")
        }
    }

    private static func name(_ type: any Any.Type) -> String {
        switch type {
        case is Double.Type: "a number"
        case is String.Type: "a string"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }

    private static func field(_ path: [any CodingKey], _ place: String) -> String {
        guard !path.isEmpty || !place.isEmpty else { return "the file" }
        return path.reduce(into: place) { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
