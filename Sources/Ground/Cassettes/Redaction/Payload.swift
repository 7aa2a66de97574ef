package import Foundation

/// A content before it is redacted.
package enum Payload: Sendable {
    /// A binary property list, as dictionaries are sent.
    case propertyList(Data)
    /// Bytes of any kind.
    case bytes(Data)

    package var data: Data {
        switch self {
        case .propertyList(let data), .bytes(let data): data
        }
    }

    /// The name of its kind; equal bytes of different kinds are different contents.
    var form: String {
        switch self {
        case .propertyList: "property list"
        case .bytes: "bytes"
        }
    }
}
