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

    /// Its kind; equal bytes of different kinds are different contents.
    var isPropertyList: Bool {
        switch self {
        case .propertyList: true
        case .bytes: false
        }
    }
}
