import Configuration
import Foundation
import KeyedArchive

/// The conversion of contents to what a cassette may show.
///
/// Every value becomes a token of a keyed hash, by its type; only names in code and the values at kept key paths stay.
/// Equal values have equal tokens as long as the same redactor is used.
package struct Redactor: Sendable {
    /// The deepest structure that is described. 32: deeper ones are not made by hand.
    static let deepest = 32
    /// The most values of one content that are described. 65,536: a message has 64 KiB.
    static let mostValues = 65_536
    /// The longest text or data that is searched for a document, in bytes. 1 MiB: longer ones are files.
    private static let longestDocument = 1024 * 1024
    /// The letters that documents begin with in base64: `{`, `[` and `bplist00`.
    private static let base64Starts = Set("eWY".utf8)
    /// The leaf in place of a value beyond these limits.
    static let omitted = RedactedValue.leaf("omitted")

    let rules: RedactionRules
    package let hash: KeyedHash

    package init(_ rules: RedactionRules, hash: KeyedHash) { (self.rules, self.hash) = (rules, hash) }

    /// Returns the redacted form of a content.
    package func value(of payload: Payload) -> RedactedValue {
        var count = 0
        switch payload {
        case .propertyList(let data):
            // Data that is no property list is described as data.
            if let value = try? PropertyListValue(binary: data) { return redacted(value, "", 0, &count) }
            return self.data(data, "", 0, &count)
        case .bytes(let data): return self.data(data, "", 0, &count)
        }
    }

    /// Returns the token that a text has in place of a name.
    package func token(_ type: String, _ text: String) -> String { "\(type)~\(hash.token(type, Data(text.utf8)))" }

    /// Returns a text if it is a name in code, and a token for another one.
    package func name(_ text: String) -> String { rules.isName(text) ? text : token("string", text) }

    // MARK: - Property lists

    func redacted(_ value: PropertyListValue, _ path: String, _ depth: Int, _ count: inout Int) -> RedactedValue {
        count += 1
        guard count <= Self.mostValues, depth <= Self.deepest else { return Self.omitted }
        switch value {
        case .null: return .leaf("null")
        case .boolean(let flag): return leaf("boolean", "\(flag)", path)
        case .integer(let number):
            return leaf("integer", "\(number)", path, size: RoundedSize.magnitude(Double(number)))
        case .unsigned(let number):
            return leaf("integer", "\(number)", path, size: RoundedSize.magnitude(Double(number)))
        case .float(let number):
            return leaf("real", "\(Double(number))", path, size: RoundedSize.magnitude(Double(number)))
        case .real(let number): return leaf("real", "\(number)", path, size: RoundedSize.magnitude(number))
        case .date(let seconds): return leaf("date", "\(seconds)", path)
        case .uid(let number): return .leaf("uid=\(number)")
        case .string(let text): return string(text, path, depth, &count)
        case .data(let data): return self.data(data, path, depth, &count)
        case .array(let elements): return .list(list(elements, path, depth, &count))
        case .set(let elements):
            return .entries([
                RedactedValue.setKey: .list(list(elements, path, depth, &count).sorted { $0.text < $1.text })
            ])
        case .dictionary(let entries): return dictionary(entries, path, depth, &count)
        }
    }

    private func list(
        _ elements: [PropertyListValue], _ path: String, _ depth: Int, _ count: inout Int
    ) -> [RedactedValue] {
        var list: [RedactedValue] = []
        for element in elements {
            list.append(redacted(element, path + "[]", depth + 1, &count))
            guard count <= Self.mostValues else { break }
        }
        return list
    }

    private func dictionary(
        _ entries: [String: PropertyListValue], _ path: String, _ depth: Int, _ count: inout Int
    ) -> RedactedValue {
        var redacted: [String: RedactedValue] = [:]
        // Sorted, so that the same content is cut at the same place.
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            let name = self.key(key)
            redacted[name] = self.redacted(value, Self.path(path, name), depth + 1, &count)
            guard count <= Self.mostValues else { break }
        }
        return .entries(redacted)
    }

    func key(_ key: String) -> String { rules.isName(key) ? key : token("key", key) }

    static func path(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    // MARK: - Values

    private func leaf(_ type: String, _ text: String, _ path: String, size: String? = nil) -> RedactedValue {
        if rules.keeps(path) { return .leaf("\(type)=\(text)") }
        return .leaf([type, size, hash.token(type, Data(text.utf8))].compactMap(\.self).joined(separator: "~"))
    }

    private func string(_ text: String, _ path: String, _ depth: Int, _ count: inout Int) -> RedactedValue {
        if rules.kept.contains(path) { return .leaf("string=\(text)") }
        if let identifier = UUID(uuidString: text) { return self.identifier(identifier, "uuid", path) }
        if let document = json(Data(text.utf8), RedactedValue.jsonTextKey, path, depth, &count) { return document }
        if let document = base64(text, path, depth, &count) { return .entries([RedactedValue.base64Key: document]) }
        return leaf("string", text, path, size: "\(RoundedSize.rounded(text.utf8.count))")
    }

    /// Returns the leaf of an identifier, whose token is the same whatever it is stored as.
    func identifier(_ identifier: UUID, _ type: String, _ path: String) -> RedactedValue {
        let text = identifier.uuidString
        return .leaf(rules.keeps(path) ? "\(type)=\(text)" : "\(type)~\(hash.token("uuid", Data(text.utf8)))")
    }

    private func data(_ data: Data, _ path: String, _ depth: Int, _ count: inout Int) -> RedactedValue {
        if rules.kept.contains(path) { return .leaf("data=\(data.base64EncodedString())") }
        if let document = self.document(data, path, depth, &count) { return document }
        if rules.keeps(path) { return .leaf("data=\(data.base64EncodedString())") }
        return .leaf("data~\(RoundedSize.rounded(data.count))~\(hash.token("data", data))")
    }

    // MARK: - Documents

    /// Returns the redacted form of a property list, an archive or JSON; nil for other data.
    private func document(_ data: Data, _ path: String, _ depth: Int, _ count: inout Int) -> RedactedValue? {
        if data.starts(with: Array("bplist00".utf8)), data.count <= Self.longestDocument,
            // Most data is not a property list; that is not an error.
            let value = try? PropertyListValue(binary: data)
        {
            if let archive = KeyedGraph(value) {
                return .entries([RedactedValue.archiveKey: redacted(archive, path, depth + 1, &count)])
            }
            return .entries([RedactedValue.propertyListKey: redacted(value, path, depth + 1, &count)])
        }
        return json(data, RedactedValue.jsonKey, path, depth, &count)
    }

    /// Returns the redacted form of a document in base64; nil for another text.
    private func base64(_ text: String, _ path: String, _ depth: Int, _ count: inout Int) -> RedactedValue? {
        guard let first = text.utf8.first, Self.base64Starts.contains(first), text.utf8.count % 4 == 0,
            text.utf8.count <= Self.longestDocument, let data = Data(base64Encoded: text)
        else { return nil }
        return document(data, path, depth + 1, &count)
    }

    /// Returns the redacted form of a JSON document; nil for other bytes.
    private func json(
        _ data: Data, _ key: String, _ path: String, _ depth: Int, _ count: inout Int
    ) -> RedactedValue? {
        guard data.first == UInt8(ascii: "{") || data.first == UInt8(ascii: "["), data.count <= Self.longestDocument,
            // A text that only begins like JSON is a text.
            let value = try? JSONValue(json: data)
        else { return nil }
        return .entries([key: redacted(Self.propertyList(value), path, depth + 1, &count)])
    }

    private static func propertyList(_ value: JSONValue) -> PropertyListValue {
        switch value {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .number(let number): .real(number)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(propertyList))
        case .object(let entries): .dictionary(entries.mapValues(propertyList))
        }
    }
}
