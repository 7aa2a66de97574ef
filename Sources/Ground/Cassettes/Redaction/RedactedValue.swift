import Files
import Foundation

/// A content as a cassette has it: the structure, with a token or a kept value in each place of a value.
package indirect enum RedactedValue: Equatable, Sendable {
    /// A token such as `string~16~…`, a kept value such as `integer=5`, or `null`.
    case leaf(String)
    case list([RedactedValue])
    /// A dictionary; an object of a keyed archive, with its class beside its keys; or with one other key that begins with `~`
    /// another kind of structure.
    case entries([String: RedactedValue])

    /// The key of a set's elements.
    package static let setKey = "~set"
    /// The key of a property list in data.
    package static let propertyListKey = "~plist"
    /// The key of a keyed archive in data.
    package static let archiveKey = "~archive"
    /// The key of an archive's roots, if it has others than one with the name `root`.
    package static let rootsKey = "~roots"
    /// The key of an object's class name, beside those of its properties.
    package static let classKey = "~class"
    /// The key of JSON in data.
    package static let jsonKey = "~json"
    /// The key of JSON in a text.
    package static let jsonTextKey = "~jsonText"
    /// The key of a document in data that a text has in base64, as JSON has data.
    package static let base64Key = "~base64"
    /// The key of a number or truth value that an object of a keyed archive refers to as an object of its own.
    package static let objectKey = "~object"

    /// The value as JSON: ASCII, keys in the order of their bytes, no spaces. It is the text that contents are hashed as.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .leaf(let leaf): Self.write(leaf, to: &text)
        case .list(let elements):
            text += "["
            for (place, element) in elements.enumerated() {
                if place > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .entries(let entries):
            text += "{"
            let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (place, entry) in sorted.enumerated() {
                if place > 0 { text += "," }
                Self.write(entry.key, to: &text)
                text += ":"
                entry.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// Returns true for a byte that stands for itself in the text of a string.
    static func isPlain(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C }

    /// Writes a string with the shortest escapes, and all characters beyond ASCII as `\uXXXX`.
    package static func write(_ string: String, to text: inout String) {
        text += "\""
        // Nearly all strings have nothing to escape.
        if string.utf8.allSatisfy(isPlain) {
            text += string
            text += "\""
            return
        }
        for unit in string.utf16 {
            switch unit {
            case 0x22: text += "\\\""
            case 0x5C: text += "\\\\"
            case 0x0A: text += "\\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case 0x08: text += "\\b"
            case 0x0C: text += "\\f"
            case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        text += "\""
    }

    /// The digest that the cassette lists the content under.
    package var digest: String { Self.digest(of: text) }

    /// Returns the digest of a content's text.
    package static func digest(of text: String) -> String {
        TokenLetters.text(ContentDigest.of(Data(text.utf8)), count: TokenLetters.digestLetters)
    }
}
