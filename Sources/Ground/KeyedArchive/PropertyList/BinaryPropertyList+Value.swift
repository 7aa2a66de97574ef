import Foundation

extension PropertyListValue {
    /// Creates the value of an object without a body; nil for texts, data and collections.
    init?(scalar object: BinaryPropertyList.Object) {
        switch object {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = .unsigned(value)
        case .float(let value): self = .float(value)
        case .real(let value): self = .real(value)
        case .date(let value): self = .date(value)
        case .uid(let value): self = .uid(value)
        case .data, .asciiString, .utf16String, .array, .set, .dictionary: return nil
        }
    }
}

extension BinaryPropertyList.Object {
    /// The length of a text or of data, in bytes; zero for any other object.
    var bodyLength: Int {
        switch self {
        case .asciiString(let range), .utf16String(let range), .data(let range): range.count
        case .null, .boolean, .integer, .unsigned, .float, .real, .date, .uid, .array, .set, .dictionary: 0
        }
    }

    /// The kind of the object, in words.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer, .unsigned: "integer"
        case .float, .real: "real"
        case .date: "date"
        case .data: "data"
        case .asciiString, .utf16String: "string"
        case .uid: "UID"
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }
}

extension BinaryPropertyList {
    /// Returns a copy of a text or of data; null for any other object.
    func body(of object: Object, _ budget: DecodingBudget) throws(ArchiveError) -> PropertyListValue {
        switch object {
        case .data(let range):
            try budget.copy(range.count, offset: range.lowerBound)
            return .data(Data(bytes.bytes(range)))
        case .asciiString(let range), .utf16String(let range):
            try budget.copy(range.count, offset: range.lowerBound)
            return .string(try string(object) ?? "")
        case .null, .boolean, .integer, .unsigned, .float, .real, .date, .uid, .array, .set, .dictionary: return .null
        }
    }
}

extension Data {
    /// Calls a closure with the bytes and preserves the type of its error.
    func withArchiveBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Value
    ) throws(ArchiveError) -> Value {
        let result: Result<Value, ArchiveError> = withUnsafeBytes { buffer in
            do throws(ArchiveError) {
                return .success(try body(buffer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
