import Foundation

/// Converts property-list objects to a tree of values, each shared collection once.
struct ObjectTreeReader {
    private let limits: ArchiveLimits
    /// The values of collections by the address of the object or of the storage of a Swift collection, and the owner of
    /// that address, which is retained so that no address is reused.
    private var known: [UInt: (value: PropertyListValue, object: Any)] = [:]
    private var depth = 0

    init(limits: ArchiveLimits) { self.limits = limits }

    mutating func value(of object: Any) throws(ArchiveError) -> PropertyListValue {
        guard depth <= limits.depth else {
            throw ArchiveError(.limitExceeded, "nested deeper than \(limits.depth)")
        }
        let identity = StorageIdentity.of(any: object).map { UInt(identity: $0) }
        if let identity, let known = known[identity] { return known.value }
        depth += 1
        defer { depth -= 1 }
        let value: PropertyListValue
        switch ArchivableValue(object) {
        case .plain(let value): return value
        case .value(let form), .object(_, let form?): value = try self.value(of: form, object)
        case .object(_, nil), .unsupported: throw Self.unsupported(object)
        }
        if let identity { known[identity] = (value, object) }
        return value
    }

    private mutating func value(of value: FoundationValue, _ object: Any) throws(ArchiveError) -> PropertyListValue {
        switch value {
        case .array(let elements, _):
            var values: [PropertyListValue] = []
            values.reserveCapacity(elements.count)
            for (position, element) in elements.enumerated() {
                values.append(try part(element, "[\(position)]"))
            }
            return .array(values)
        case .dictionary(let keys, let elements, _):
            var entries = [String: PropertyListValue](minimumCapacity: keys.count)
            for (key, element) in zip(keys, elements) {
                guard let name = key as? String else { throw Self.unsupported(key) }
                entries[name] = try part(element, name)
            }
            return .dictionary(entries)
        case .date(let date):
            guard date.timeIntervalSinceReferenceDate.isFinite else {
                throw ArchiveError(.unsupportedValue, "a date that is not finite; a property list cannot store it")
            }
            return .date(date.timeIntervalSinceReferenceDate)
        // Property lists have no decimal numbers: on Apple's platforms, too, the nearest double is stored.
        case .decimal(let form): return .real(form.double)
        case .mutableString(let string): return .string(string)
        case .mutableData(let data): return .data(data)
        case .set, .countedSet, .orderedSet, .indexSet, .uuid, .url, .null, .geometric:
            throw Self.unsupported(object)
        }
    }

    private mutating func part(_ object: Any, _ key: String) throws(ArchiveError) -> PropertyListValue {
        do throws(ArchiveError) {
            return try value(of: object)
        } catch {
            throw error.under(key)
        }
    }

    private static func unsupported(_ object: Any) -> ArchiveError {
        ArchiveError(.unsupportedValue, "\(type(of: object)) is not a property-list type")
    }
}
