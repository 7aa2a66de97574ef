import Foundation

/// A reader that converts a keyed archive of plain values (dictionaries, arrays, strings, numbers, data, dates, null)
/// to a tree without creating objects.
struct PlainArchiveReader {
    private let document: ArchiveDocument
    private let maximumDepth: Int
    private let classes: ClassTable
    private var decoded: DecodedValues<PropertyListValue>
    /// The elements so far in the collection that is being decoded, including those of nested collections per
    /// reference.
    private var elementCount = 0
    private let budget: DecodingBudget

    static func value(from data: Data, key: String, limits: ArchiveLimits) throws(ArchiveError) -> PropertyListValue {
        try data.withArchiveBytes { buffer throws(ArchiveError) in
            var reader = try PlainArchiveReader(buffer, limits: limits)
            let top = reader.document.top
            guard let root = try reader.document.find(key, in: top) else {
                throw ArchiveError(.missingValue, "“$top” has no “\(key)”", offset: top.offset)
            }
            return try reader.value(at: root, from: top, depth: 0)
        }
    }

    private init(_ buffer: UnsafeRawBufferPointer, limits: ArchiveLimits) throws(ArchiveError) {
        let budget = DecodingBudget(archiveBytes: buffer.count, limits: limits)
        let document = try ArchiveDocument(buffer, limits: limits, budget)
        self.init(document, try ClassTable(document, budget), budget, maximumDepth: limits.depth)
    }

    /// Creates a reader for parts of an archive that is otherwise read as objects.
    init(_ document: ArchiveDocument, _ classes: ClassTable, _ budget: DecodingBudget, maximumDepth: Int) {
        self.document = document
        self.classes = classes
        self.budget = budget
        self.maximumDepth = maximumDepth
        decoded = DecodedValues(count: document.count)
    }

    /// - Parameter place: The index of the reference to the value.
    mutating func value(
        at place: Int, from record: ArchiveRecord, depth: Int
    ) throws(ArchiveError) -> PropertyListValue {
        let uid = try document.uid(at: place, from: record)
        guard uid != 0 else { throw ArchiveError(.corruptObject, "nil among plain values", offset: record.offset) }
        let index = try document.index(of: uid, from: record)
        let object = try document.list.object(at: index)
        switch object {
        case .boolean, .integer, .unsigned, .float, .real: return PropertyListValue(scalar: object) ?? .null
        case .null, .date, .uid, .array, .set:
            throw ArchiveError(
                .corruptObject, "cannot be an archived object", kind: object.kind,
                offset: try document.list.offset(of: index))
        case .data, .asciiString, .utf16String, .dictionary: break
        }
        if let known = try decoded.known(Int(uid), offset: record.offset) {
            let count = decoded.elementCount(Int(uid))
            try budget.share(count, offset: record.offset)
            elementCount += count
            return known
        }
        guard depth <= maximumDepth else {
            throw ArchiveError(.limitExceeded, "nested deeper than \(maximumDepth)", offset: record.offset)
        }
        let outer = elementCount
        elementCount = 0
        let value: PropertyListValue
        if case .dictionary(let entries) = object {
            decoded.begin(Int(uid))
            value = try keyed(entries, at: index, depth: depth)
        } else {
            value = try document.list.body(of: object, budget)
        }
        decoded.end(Int(uid), value, elementCount: elementCount)
        elementCount += outer
        return value
    }

    private mutating func keyed(
        _ entries: BinaryPropertyList.Entries, at index: Int, depth: Int
    ) throws(ArchiveError) -> PropertyListValue {
        let place = try classes.place(ofClassOf: entries, at: index)
        let record = try classes.record(at: index, entries, place)
        guard let valueClass = classes.valueClass(place) else { throw notPlain(try classes.name(place), record) }
        switch valueClass {
        case .array, .mutableArray: return .array(try elements(of: record, depth: depth))
        case .dictionary, .mutableDictionary: return .dictionary(try dictionary(record, depth: depth))
        case .date: return .date(try document.seconds(of: record))
        case .string, .mutableString: return .string(try document.text(of: record, budget))
        case .data, .mutableData:
            let range = try document.dataRange(of: record)
            // Not charged as copied: equal data of several objects is written once.
            try budget.take(range.count, each: 1, offset: record.offset)
            return .data(Data(document.list.bytes.bytes(range)))
        case .null: return .null
        case .set, .mutableSet, .countedSet, .orderedSet, .mutableOrderedSet, .indexSet, .mutableIndexSet, .uuid, .url,
            .value, .decimalNumber, .decimalNumberPlaceholder:
            throw notPlain(valueClass.name, record)
        }
    }

    private mutating func dictionary(
        _ record: ArchiveRecord, depth: Int
    ) throws(ArchiveError) -> [String: PropertyListValue] {
        let (keys, values) = (try run(.keys, of: record), try run(.elements, of: record))
        guard keys.count == values.count else {
            throw ArchiveError(
                .corruptObject, "\(keys.count) keys for \(values.count) values", kind: ValueClass.dictionary.name,
                offset: record.offset)
        }
        var entries = [String: PropertyListValue](minimumCapacity: keys.count)
        for position in 0..<keys.count {
            let key = try value(at: try document.list.reference(position, in: keys), from: record, depth: depth + 1)
            guard case .string(let text) = key else {
                throw ArchiveError(
                    .typeMismatch, "a dictionary key is not a string", kind: ValueClass.dictionary.name,
                    offset: record.offset)
            }
            do throws(ArchiveError) {
                let place = try document.list.reference(position, in: values)
                let value = try value(at: place, from: record, depth: depth + 1)
                guard entries.updateValue(value, forKey: text) == nil else {
                    throw ArchiveError(.duplicateKey, "“\(text)”", kind: "NSDictionary", offset: record.offset)
                }
            } catch {
                throw error.under(text)
            }
        }
        return entries
    }

    private mutating func elements(of record: ArchiveRecord, depth: Int) throws(ArchiveError) -> [PropertyListValue] {
        let run = try run(.elements, of: record)
        var elements: [PropertyListValue] = []
        elements.reserveCapacity(run.count)
        for position in 0..<run.count {
            do throws(ArchiveError) {
                let place = try document.list.reference(position, in: run)
                elements.append(try value(at: place, from: record, depth: depth + 1))
            } catch {
                throw error.under("[\(position)]")
            }
        }
        return elements
    }

    /// Returns the references of a list of a collection.
    private mutating func run(
        _ list: CollectionList, of record: ArchiveRecord
    ) throws(ArchiveError) -> BinaryPropertyList.References {
        guard let run = try document.elements(list, of: record) else {
            throw ArchiveError(.missingValue, "no list under “\(list.rawValue)”", offset: record.offset)
        }
        try budget.take(run.count, each: ArchiveLimits.Nominal.value, offset: record.offset)
        elementCount += run.count
        return run
    }

    private func notPlain(_ name: String, _ record: ArchiveRecord) -> ArchiveError {
        ArchiveError(.classNotAllowed, "“\(name)” among plain values", kind: name, offset: record.offset)
    }
}
