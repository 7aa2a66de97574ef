import Files
import Foundation
import RecordStorage

/// A statement and its parameters.
package struct ServerStatement: Equatable, Sendable {
    package let text: String
    package let parameters: [ServerParameter]
    /// True if it is worth preparing: it will run again on the same connection.
    package let isRepeated: Bool

    package init(_ text: String, _ parameters: [ServerParameter] = [], isRepeated: Bool = true) {
        self.text = text
        self.parameters = parameters
        self.isRepeated = isRepeated
    }

    /// The name under which it is prepared: a hash of the text, so that two programs that share a pooler's session
    /// never mean different statements by the same name.
    package var name: String {
        var digest = ""
        for byte in ContentDigest.of(.init(text.utf8)).prefix(12) {
            digest += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "wl_" + digest
    }
}
