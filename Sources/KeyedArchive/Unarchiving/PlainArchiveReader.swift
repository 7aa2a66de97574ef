import Foundation

/// Reads a keyed archive of plain values (dictionaries, arrays, strings, numbers, data, dates) into a tree, without making
/// any object on the way.
struct PlainArchiveReader {
    private enum Progress {
        case untouched
        case open
        case done(PropertyListValue)
    }

    private let document: ArchiveDocument
    private let maximumDepth: Int
    private var progress: [Progress]
    /// What bodies may still be read. An honest archive never holds more body than bytes; overlapping bodies do.
    private var budget: Int

    static func value(from data: Data, limits: ArchiveLimits) throws(ArchiveError) -> PropertyListValue {
        let document = try ArchiveDocument(data, limits: limits)
        var reader = PlainArchiveReader(document, limits: limits)
        guard let root = try document.find(KeyedArchiver.rootKey, in: document.top) else {
            throw ArchiveError(.missingValue, "“$top” has no “\(KeyedArchiver.rootKey)”")
        }
        return try reader.value(at: root, from: document.top, depth: 0)
    }

    private init(_ document: ArchiveDocument, limits: ArchiveLimits) {
        self.document = document
        maximumDepth = limits.depth
        progress = Array(repeating: .untouched, count: document.count)
        budget = document.list.bytes.count
    }

    /// - Parameter place: Where the reference to the value stands.
    private mutating func value(
        at place: Int, from record: ArchiveDocument.Record, depth: Int
    ) throws(ArchiveError) -> PropertyListValue {
        guard depth <= maximumDepth else {
            throw ArchiveError(.limitExceeded, "nested deeper than \(maximumDepth)", offset: record.offset)
        }
        guard case .uid(let uid) = try document.list.object(at: place) else {
            throw ArchiveError(.typeMismatch, "a plain value where an object was expected", offset: record.offset)
        }
        guard uid != 0 else { throw ArchiveError(.corruptObject, "nil among plain values", offset: record.offset) }
        let index = try document.index(of: uid, from: record)
        switch progress[Int(uid)] {
        case .done(let value): return value
        case .open: throw ArchiveError(.cycle, "object \(uid) contains itself", offset: record.offset)
        case .untouched: break
        }
        progress[Int(uid)] = .open
        let value = try read(try document.list.object(at: index), at: index, depth: depth)
        progress[Int(uid)] = .done(value)
        return value
    }

    private mutating func read(
        _ object: BinaryPropertyList.Object, at index: Int, depth: Int
    ) throws(ArchiveError) -> PropertyListValue {
        switch object {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .float(let value): return .float(value)
        case .real(let value): return .real(value)
        case .data(let range):
            try spend(range.count)
            return .data(Data(document.list.bytes[range]))
        case .asciiString(let range), .utf16String(let range):
            try spend(range.count)
            return .string(try document.list.string(object) ?? "")
        case .dictionary: return try keyed(try document.record(at: index), depth: depth)
        case .null, .date, .uid, .array, .set:
            throw ArchiveError(.corruptObject, "no object of an archive", offset: try document.list.offset(of: index))
        }
    }

    private mutating func keyed(_ record: ArchiveDocument.Record, depth: Int) throws(ArchiveError) -> PropertyListValue
    {
        let name = try document.className(of: record)
        switch ValueClass(rawValue: name) {
        case .array, .mutableArray: return .array(try elements("NS.objects", in: record, depth: depth))
        case .dictionary, .mutableDictionary:
            let keys = try elements("NS.keys", in: record, depth: depth)
            let values = try elements("NS.objects", in: record, depth: depth)
            guard keys.count == values.count else {
                throw ArchiveError(
                    .corruptObject, "\(keys.count) keys for \(values.count) values", offset: record.offset)
            }
            var entries = [String: PropertyListValue](minimumCapacity: keys.count)
            for (key, value) in zip(keys, values) {
                guard case .string(let text) = key else {
                    throw ArchiveError(.typeMismatch, "dictionary key is no string", offset: record.offset)
                }
                guard entries.updateValue(value, forKey: text) == nil else {
                    throw ArchiveError(.duplicateKey, "“\(text)”", offset: record.offset)
                }
            }
            return .dictionary(entries)
        case .date: return .date(try document.seconds(of: record))
        case .set, .mutableSet, .orderedSet, .mutableOrderedSet, .indexSet, .mutableIndexSet, .string, .mutableString,
            .data, .mutableData, .uuid, .url, .null, nil:
            throw ArchiveError(.classNotAllowed, "“\(name)” among plain values", offset: record.offset)
        }
    }

    private mutating func elements(
        _ key: String, in record: ArchiveDocument.Record, depth: Int
    ) throws(ArchiveError) -> [PropertyListValue] {
        guard let index = try document.find(key, in: record), case .array(let run) = try document.list.object(at: index)
        else { throw ArchiveError(.missingValue, "no list under “\(key)”", offset: record.offset) }
        try spend(run.count)
        var elements: [PropertyListValue] = []
        elements.reserveCapacity(run.count)
        for position in 0..<run.count {
            elements.append(
                try value(at: try document.list.reference(position, in: run), from: record, depth: depth + 1))
        }
        return elements
    }

    private mutating func spend(_ amount: Int) throws(ArchiveError) {
        budget -= amount
        guard budget >= 0 else { throw ArchiveError(.limitExceeded, "objects overlap: their bodies exceed the file") }
    }
}
