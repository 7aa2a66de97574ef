import Foundation

extension PropertyListValue {
    /// The value of a property-list object: strings, numbers, booleans, dates, data, arrays, dictionaries with string keys.
    ///
    /// - Throws: ``ArchiveError`` of code `unsupportedValue`, with the key path of what is none of these.
    public init(object: Any, limits: ArchiveLimits = .standard) throws(ArchiveError) {
        try self.init(object, path: [], limits: limits)
    }

    private init(_ object: Any, path: [String], limits: ArchiveLimits) throws(ArchiveError) {
        guard path.count <= limits.depth else {
            throw ArchiveError(.limitExceeded, "nested deeper than \(limits.depth)")
        }
        switch ArchivableValue(object) {
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = .unsigned(value)
        case .float(let value): self = .float(value)
        case .real(let value): self = .real(value)
        case .string(let value): self = .string(value)
        case .data(let value): self = .data(value)
        case .value(let value), .object(_, let value?): try self.init(value, of: object, path: path, limits: limits)
        case .object(_, nil), .unsupported: throw Self.unsupported(object, path)
        }
    }

    private init(
        _ value: FoundationValue, of object: Any, path: [String], limits: ArchiveLimits
    ) throws(ArchiveError) {
        switch value {
        case .array(let elements, _):
            var values: [PropertyListValue] = []
            for (position, element) in elements.enumerated() {
                values.append(try PropertyListValue(element, path: path + ["[\(position)]"], limits: limits))
            }
            self = .array(values)
        case .dictionary(let keys, let elements, _):
            var entries: [String: PropertyListValue] = [:]
            for (key, element) in zip(keys, elements) {
                guard let name = key as? String else { throw Self.unsupported(key, path) }
                entries[name] = try PropertyListValue(element, path: path + [name], limits: limits)
            }
            self = .dictionary(entries)
        case .date(let date):
            guard date.timeIntervalSinceReferenceDate.isFinite else {
                throw Self.unsupported("a date without a time", path)
            }
            self = .date(date.timeIntervalSinceReferenceDate)
        case .mutableString(let string): self = .string(string)
        case .mutableData(let data): self = .data(data)
        case .set, .countedSet, .orderedSet, .indexSet, .uuid, .url, .null, .decimal, .geometric:
            throw Self.unsupported(object, path)
        }
    }

    /// The value as Swift and Foundation have it: `[String: Any]`, `[Any]`, `String`, `Data`, `Date`, `Bool`, `Int`, `Double`, …
    public var object: Any {
        switch self {
        case .null: NSNull()
        case .boolean(let value): value
        case .integer(let value): Int(value)
        case .unsigned(let value): value
        case .float(let value): value
        case .real(let value): value
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): data
        case .string(let string): string
        case .uid(let uid): Int(uid)
        case .array(let elements), .set(let elements): elements.map(\.object)
        case .dictionary(let entries): entries.mapValues(\.object)
        }
    }

    private static func unsupported(_ object: Any, _ path: [String]) -> ArchiveError {
        ArchiveError(
            .unsupportedValue, "\(type(of: object)) is no property-list type",
            keyPath: path.joined(separator: "."))
    }
}
