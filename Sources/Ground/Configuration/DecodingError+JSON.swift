import Foundation

extension DecodingError {
    /// The keys that lead to the wrong value, in the form of configuration errors: “link.faults[0]”. Empty for an error
    /// of the whole text.
    package var key: String {
        context.codingPath.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }

    /// A description of the problem in one sentence.
    package var detail: String { context.debugDescription }

    private var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "\(self)")
        }
    }
}
