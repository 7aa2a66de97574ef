import Configuration
import Foundation
import KeyedArchive
import Words

/// A property list as JSON. Types that JSON lacks become objects with one key: `$data` (base64), `$date`, `$uid`,
/// `$real` (text).
struct ArchiveJSON {
    /// The most values in one result. A million: a file of a hundred bytes can refer to one array a billion times.
    private static let maximumValues = 1_000_000

    /// The most bytes of texts and data in one result. 64 MiB, as for the longest file: one of 125 KB can refer to one
    /// text of
    /// 64 KiB sixty thousand times.
    private static let maximumBytes = InputFile.maximumBytes

    private var count = 0
    private var bytes = 0

    /// Converts a property list.
    ///
    /// - Throws: A ``CommandError`` if the file's shared values expand to too many values or bytes.
    static func value(_ value: PropertyListValue) throws(CommandError) -> JSONValue {
        var json = ArchiveJSON()
        return try json.value(value)
    }

    private mutating func value(_ value: PropertyListValue) throws(CommandError) -> JSONValue {
        count += 1
        switch value {
        case .string(let text): bytes += text.utf8.count
        case .data(let data): bytes += data.count
        case .dictionary(let entries): bytes += entries.keys.reduce(0) { $0 + $1.utf8.count }
        case .null, .boolean, .integer, .unsigned, .float, .real, .date, .uid, .array, .set: break
        }
        guard count <= Self.maximumValues, bytes <= Self.maximumBytes else {
            throw CommandError(
                "the file expands to more than \(Self.maximumValues) values or \(Self.maximumBytes) bytes; leave out --json"
            )
        }
        return switch value {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .string(String(number))
        case .float(let number): Self.real(Double(number))
        case .real(let number): Self.real(number)
        case .date(let seconds): .object(["$date": .string(TerminalText.date(seconds))])
        case .data(let data): .object(["$data": .string(data.base64EncodedString())])
        case .string(let text): .string(text)
        case .uid(let uid): .object(["$uid": .integer(Int64(uid))])
        case .array(let elements), .set(let elements): .array(try values(elements))
        case .dictionary(let entries):
            .object(Dictionary(uniqueKeysWithValues: zip(entries.keys, try values(entries.values))))
        }
    }

    private mutating func values(_ elements: some Collection<PropertyListValue>) throws(CommandError) -> [JSONValue] {
        var values: [JSONValue] = []
        for element in elements { values.append(try value(element)) }
        return values
    }

    private static func real(_ number: Double) -> JSONValue {
        number.isFinite ? .number(number) : .object(["$real": .string("\(number)")])
    }
}
