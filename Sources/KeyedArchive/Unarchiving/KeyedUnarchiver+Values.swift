import Foundation

extension KeyedUnarchiver {
    /// Makes an object of one of Foundation's classes from its archived form.
    func value(
        of valueClass: ValueClass, from record: ArchiveDocument.Record, allowing classes: [AnyClass]
    ) throws(ArchiveError) -> NSObject {
        switch valueClass {
        case .array: NSArray(array: try list(.elements, of: record, allowing: classes))
        case .mutableArray: NSMutableArray(array: try list(.elements, of: record, allowing: classes))
        case .set: NSSet(array: try list(.elements, of: record, allowing: classes))
        case .mutableSet: NSMutableSet(array: try list(.elements, of: record, allowing: classes))
        case .orderedSet: NSOrderedSet(array: try numbered(.elements, of: record, allowing: classes))
        case .mutableOrderedSet: NSMutableOrderedSet(array: try numbered(.elements, of: record, allowing: classes))
        case .indexSet: NSIndexSet(indexSet: try indexSet(record))
        case .mutableIndexSet: NSMutableIndexSet(indexSet: try indexSet(record))
        case .dictionary: NSDictionary(dictionary: try entries(of: record, allowing: classes))
        case .mutableDictionary: NSMutableDictionary(dictionary: try entries(of: record, allowing: classes))
        case .string: NSString(string: try string("NS.string", in: record))
        case .mutableString: NSMutableString(string: try string("NS.string", in: record))
        case .data: NSData(data: try data("NS.data", in: record))
        case .mutableData: NSMutableData(data: try data("NS.data", in: record))
        case .date: NSDate(timeIntervalSinceReferenceDate: try document.seconds(of: record))
        case .uuid: try uuid(record)
        case .url: try url(record)
        case .null: NSNull()
        }
    }

    private func entries(
        of record: ArchiveDocument.Record, allowing classes: [AnyClass]
    ) throws(ArchiveError) -> [AnyHashable: Any] {
        let keys = try list(.keys, of: record, allowing: classes)
        let values = try list(.elements, of: record, allowing: classes)
        guard keys.count == values.count else {
            throw ArchiveError(.corruptObject, "\(keys.count) keys for \(values.count) values", offset: record.offset)
        }
        var entries = [AnyHashable: Any](minimumCapacity: keys.count)
        for (key, value) in zip(keys, values) {
            let hashable: AnyHashable = (key as? NSString).map { AnyHashable($0.description) } ?? AnyHashable(key)
            guard entries.updateValue(value, forKey: hashable) == nil else {
                throw ArchiveError(.duplicateKey, "“\(key)”", offset: record.offset)
            }
        }
        return entries
    }

    /// The two lists of a collection: each stands under one key or, in old archives, one element under each of many keys.
    private enum CollectionList: String {
        case elements = "NS.objects"
        case keys = "NS.keys"

        func numberedKey(_ position: Int) -> String {
            switch self {
            case .elements: "NS.object.\(position)"
            case .keys: "NS.key.\(position)"
            }
        }
    }

    private func list(
        _ list: CollectionList, of record: ArchiveDocument.Record, allowing classes: [AnyClass]
    ) throws(ArchiveError) -> [NSObject] {
        // What has neither form is an error: an empty list is written as such.
        guard try plain(list.rawValue, in: record) == nil, try plain(list.numberedKey(0), in: record) != nil else {
            return try objects(list.rawValue, in: record, of: classes)
        }
        return try numbered(list, of: record, allowing: classes)
    }

    private func numbered(
        _ list: CollectionList, of record: ArchiveDocument.Record, allowing classes: [AnyClass]
    ) throws(ArchiveError) -> [NSObject] {
        var elements: [NSObject] = []
        while try plain(list.numberedKey(elements.count), in: record) != nil {
            let key = list.numberedKey(elements.count)
            guard let element = try object(key, in: record, of: classes) else {
                throw ArchiveError(.corruptObject, "nil inside a collection", offset: record.offset)
            }
            elements.append(element)
        }
        return elements
    }

    private func indexSet(_ record: ArchiveDocument.Record) throws(ArchiveError) -> IndexSet {
        func corrupt(_ detail: String) -> ArchiveError { ArchiveError(.corruptObject, detail, offset: record.offset) }
        guard case .integer(let count) = try plain(IndexRanges.countKey, in: record), count >= 0 else {
            throw corrupt("an index set without a count of its ranges")
        }
        let set = NSMutableIndexSet()
        switch count {
        case 0: break
        case 1:
            guard case .integer(let location) = try plain(IndexRanges.locationKey, in: record),
                case .integer(let length) = try plain(IndexRanges.lengthKey, in: record),
                let range = IndexRanges.range(location, length)
            else { throw corrupt("an index set without a readable range") }
            set.add(in: range)
        default:
            guard let data = try object(IndexRanges.dataKey, in: record, of: [NSData.self]) as? NSData,
                let ranges = IndexRanges.ranges(
                    in: Array(UnsafeRawBufferPointer(start: data.bytes, count: data.length))[...], count: count)
            else { throw corrupt("an index set without readable ranges") }
            for range in ranges { set.add(in: range) }
        }
        return set as IndexSet
    }

    private func string(_ key: String, in record: ArchiveDocument.Record) throws(ArchiveError) -> String {
        guard let plain = try plain(key, in: record), let text = try text(plain) else {
            throw ArchiveError(.missingValue, "no string under “\(key)”", offset: record.offset)
        }
        return text
    }

    private func data(_ key: String, in record: ArchiveDocument.Record) throws(ArchiveError) -> Data {
        guard case .data(let range) = try plain(key, in: record) else {
            throw ArchiveError(.missingValue, "no data under “\(key)”", offset: record.offset)
        }
        return try copy(range, record)
    }

    private func uuid(_ record: ArchiveDocument.Record) throws(ArchiveError) -> NSUUID {
        try spend(MemoryLayout<uuid_t>.size, record)
        return try document.uuid(of: record) as NSUUID
    }

    private func url(_ record: ArchiveDocument.Record) throws(ArchiveError) -> NSURL {
        let base = try object("NS.base", in: record, of: [NSURL.self]) as? NSURL
        guard let relative = try object("NS.relative", in: record, of: [NSString.self]) as? NSString,
            let url = URL(string: relative.description, relativeTo: base.map { $0 as URL })
        else { throw ArchiveError(.corruptObject, "no readable URL", offset: record.offset) }
        return url as NSURL
    }
}
