package import Foundation

extension JSONValue {
    /// Reads JSON.
    ///
    /// A decoder finds the kind of each value by failed attempts, which take many times as long as a reader of plain
    /// texts. It reads the others, and its errors name the place.
    ///
    /// - Throws: `DecodingError`.
    package init(json: Data) throws {
        self =
            try PlainJSONReader.read(json) { $0.value(below: 0) }
            ?? JSONDecoder().decode(JSONValue.self, from: json)
    }
}

extension PlainJSONReader {
    /// The most levels of objects and lists. 64: more than any text of this project, and far from the end of a stack.
    private static let maximumDepth = 64
    /// 2⁵³: below it a `Double` holds each whole number.
    private static let largestExact = 9_007_199_254_740_992.0

    /// Reads any value; of an object with equal keys, only a decoder knows which one counts.
    fileprivate mutating func value(below depth: Int) -> JSONValue? {
        switch nextKind {
        case .string: return string().map { .string($0) }
        case .number: return number().flatMap(Self.value)
        case .word:
            if null() { return .null }
            return boolean().map { .boolean($0) }
        case .object:
            var entries: [String: JSONValue] = [:]
            let isRead =
                depth < Self.maximumDepth
                && object { key, reader in
                    guard let value = reader.value(below: depth + 1) else { return false }
                    return entries.updateValue(value, forKey: key) == nil
                }
            return isRead ? .object(entries) : nil
        case .list:
            var values: [JSONValue] = []
            let isRead =
                depth < Self.maximumDepth
                && list { reader in
                    guard let value = reader.value(below: depth + 1) else { return false }
                    values.append(value)
                    return true
                }
            return isRead ? .array(values) : nil
        case nil: return nil
        }
    }

    /// Returns a number as a decoder reads it: whole if it can be, whatever its spelling.
    private static func value(_ number: Double) -> JSONValue? {
        guard abs(number) < largestExact else { return nil }
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }
}
