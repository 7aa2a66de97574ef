package import Cassettes
package import Foundation
package import KeyedArchive

/// Whole contents.
extension PlayedValues {
    /// Returns a dictionary for a message, a context, a user info or a file's metadata.
    ///
    /// - Throws: `ArchiveError` if it is too large for a property list.
    package mutating func dictionary(_ content: RedactedValue?) throws(ArchiveError) -> Data {
        let value = content.map { self.value($0) } ?? .dictionary([:])
        guard case .dictionary = value else { return try PropertyListValue.dictionary([:]).binaryData() }
        return try value.binaryData()
    }

    /// Returns the bytes of a message of data.
    ///
    /// - Throws: `ArchiveError` if it is too large.
    package mutating func bytes(_ content: RedactedValue?) throws(ArchiveError) -> Data {
        guard let content else { return Data() }
        switch value(content) {
        case .data(let data): return data
        case let other: return try other.binaryData()
        }
    }

    /// Returns a property list; documents are data, or a text, in it.
    mutating func value(_ content: RedactedValue) -> PropertyListValue {
        switch Shape(content) {
        case .leaf(let leaf):
            let value = value(leaf)
            // A property list has no null.
            return value == .null ? .string("") : value
        case .list(let elements): return .array(elements.map { value($0) })
        case .keys(let entries, _): return .dictionary(plain(entries))
        case .wrapped(let key, let inner): return document(key, inner)
        }
    }

    private mutating func plain(_ entries: [String: RedactedValue]) -> [String: PropertyListValue] {
        var plain: [String: PropertyListValue] = [:]
        // Sorted, so that the same truth values are made up in each replay.
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) { plain[key] = value(entry) }
        return plain
    }

    private mutating func document(_ key: String, _ inner: RedactedValue) -> PropertyListValue {
        switch key {
        case RedactedValue.jsonKey: return .data(Data(json(inner).utf8))
        case RedactedValue.jsonTextKey: return .string(json(inner))
        case RedactedValue.setKey, RedactedValue.objectKey: return value(inner)
        case RedactedValue.base64Key:
            let value = value(inner)
            guard case .data(let data) = value else { return value }
            return .string(data.base64EncodedString())
        case RedactedValue.archiveKey:
            var maker = ArchiveMaker(self)
            let archive = maker.archive(of: inner)
            self = maker.values
            return .data(Self.encoded(archive))
        default: return .data(Self.encoded(value(inner)))
        }
    }

    /// Returns a document, or nothing for one that is too large: the app then sees data that it cannot read.
    private static func encoded(_ value: PropertyListValue) -> Data {
        do throws(ArchiveError) { return try value.binaryData() } catch { return Data() }
    }

    // MARK: - JSON

    private mutating func json(_ content: RedactedValue) -> String {
        var text = ""
        writeJSON(content, to: &text)
        return text
    }

    private mutating func writeJSON(_ content: RedactedValue, to text: inout String) {
        switch Shape(content) {
        case .leaf(let leaf): write(value(leaf), to: &text)
        case .list(let elements):
            text += "["
            for (place, element) in elements.enumerated() {
                if place > 0 { text += "," }
                writeJSON(element, to: &text)
            }
            text += "]"
        case .keys(let entries, _):
            text += "{"
            for (place, entry) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
                if place > 0 { text += "," }
                RedactedValue.write(entry.key, to: &text)
                text += ":"
                writeJSON(entry.value, to: &text)
            }
            text += "}"
        case .wrapped(RedactedValue.base64Key, _): write(value(content), to: &text)
        // JSON in a text of a JSON document.
        case .wrapped(_, let inner): RedactedValue.write(json(inner), to: &text)
        }
    }

    private func write(_ value: PropertyListValue, to text: inout String) {
        switch value {
        case .boolean(let flag): text += "\(flag)"
        case .integer(let number): text += "\(number)"
        case .unsigned(let number): text += "\(number)"
        case .real(let number): text += "\(number)"
        case .string(let string): RedactedValue.write(string, to: &text)
        // JSON has no others.
        case .null, .float, .date, .data, .uid, .array, .set, .dictionary: text += "null"
        }
    }
}
