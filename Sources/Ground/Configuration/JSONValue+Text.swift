package import Foundation

extension JSONValue {
    /// Reads JSON.
    ///
    /// A decoder finds the kind of each value by failed attempts, which take five times as long as `JSONSerialization`
    /// and the conversion of its objects. That one differs in details, for which the decoder reads the text: it keeps
    /// the last of equal keys, drops byte order marks, rounds large numbers, and its errors name no place.
    ///
    /// - Throws: `DecodingError`.
    package init(json: Data) throws {
        self = try Self.plain(json) ?? JSONDecoder().decode(JSONValue.self, from: json)
    }

    /// Returns the value of a text that both read in the same way; nil for any other.
    private static func plain(_ json: Data) -> JSONValue? {
        guard let keys = json.withUnsafeBytes(countKeys) else { return nil }
        // The decoder reports the error.
        guard let object = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed) else { return nil }
        var found = 0
        guard let value = converted(object, &found), found == keys else { return nil }
        return value
    }

    /// Counts the keys of all objects by their colons. Returns nil for a text with something like a byte order mark.
    private static func countKeys(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var count = 0
        var (isInString, isEscaped) = (false, false)
        for byte in bytes {
            // The first byte of U+F000 to U+FFFF.
            if byte == 0xEF { return nil }
            if isEscaped {
                // \uFEFF is one too, and all escapes of that kind are rare.
                if byte == UInt8(ascii: "u") { return nil }
                isEscaped = false
            } else if isInString {
                if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: ":") {
                count += 1
            }
        }
        return count
    }

    /// Converts an object of `JSONSerialization`. The casts follow a look at the type, because those that fail are
    /// slow.
    ///
    /// - Parameter keys: Increased by the number of keys.
    private static func converted(_ object: Any, _ keys: inout Int) -> JSONValue? {
        let type = type(of: object)
        if type == String.self { return (object as? String).map { .string($0) } }
        if type == [String: Any].self, let entries = object as? [String: Any] {
            keys += entries.count
            var values: [String: JSONValue] = [:]
            values.reserveCapacity(entries.count)
            for (key, entry) in entries {
                guard let value = converted(entry, &keys) else { return nil }
                values[key] = value
            }
            return .object(values)
        }
        if type == [Any].self, let list = object as? [Any] {
            var values: [JSONValue] = []
            values.reserveCapacity(list.count)
            for element in list {
                guard let value = converted(element, &keys) else { return nil }
                values.append(value)
            }
            return .array(values)
        }
        if type == NSNull.self { return .null }
        return (object as? NSNumber).flatMap(converted)
    }

    private static func converted(_ number: NSNumber) -> JSONValue? {
        // By the letter of the C type; C for Boolean values.
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"): return .boolean(number.boolValue)
        case UInt8(ascii: "i"), UInt8(ascii: "q"): return .integer(number.int64Value)
        case UInt8(ascii: "d"):
            let value = number.doubleValue
            guard abs(value) < largestExact else { return nil }
            return Int64(exactly: value).map { .integer($0) } ?? .number(value)
        default: return nil
        }
    }

    /// 2⁵³: below it a `Double` holds each whole number.
    private static let largestExact = 9_007_199_254_740_992.0
}
