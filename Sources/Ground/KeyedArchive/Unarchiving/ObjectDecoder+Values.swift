import Foundation

extension ObjectDecoder {
    /// Creates an object of a Foundation class from its archived form.
    func value(
        of valueClass: ValueClass, from record: ArchiveRecord, allowing classes: [AnyClass], for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> NSObject {
        switch valueClass {
        case .array, .mutableArray:
            let elements: [AnyObject] = try objects(.elements, of: record, valueClass, allowing: classes, for: coder)
            return valueClass == .array
                ? NSArray(objects: elements, count: elements.count)
                : NSMutableArray(objects: elements, count: elements.count)
        case .set, .mutableSet:
            let elements: [AnyObject] = try distinct(.elements, of: record, valueClass, allowing: classes, for: coder)
            return valueClass == .set
                ? NSSet(objects: elements, count: elements.count)
                : NSMutableSet(objects: elements, count: elements.count)
        case .countedSet: return try countedSet(record, allowing: classes, for: coder)
        case .orderedSet:
            return NSOrderedSet(
                array: try distinct(.elements, of: record, valueClass, allowing: classes, for: coder) as [NSObject])
        case .mutableOrderedSet:
            return NSMutableOrderedSet(
                array: try distinct(.elements, of: record, valueClass, allowing: classes, for: coder) as [NSObject])
        case .dictionary, .mutableDictionary:
            return try dictionary(record, valueClass, allowing: classes, for: coder)
        case .indexSet: return NSIndexSet(indexSet: try indexSet(record, for: coder) as IndexSet)
        case .mutableIndexSet: return try indexSet(record, for: coder)
        case .string: return NSString(string: try document.text(of: record, budget))
        case .mutableString: return NSMutableString(string: try document.text(of: record, budget))
        case .data: return try data(try document.dataRange(of: record))
        case .mutableData:
            let range = try document.dataRange(of: record)
            try budget.take(range.count, each: 1, offset: record.offset)
            return NSMutableData(bytes: document.list.bytes.bytes(range).baseAddress, length: range.count)
        case .date: return NSDate(timeIntervalSinceReferenceDate: try document.seconds(of: record))
        case .uuid: return try document.uuid(of: record) as NSUUID
        case .url: return try url(record, for: coder)
        case .null: return NSNull.one
        case .value: return try geometric(record, for: coder).value
        case .decimalNumber, .decimalNumberPlaceholder: return try decimalNumber(record)
        }
    }

    // MARK: - Values

    private func url(_ record: ArchiveRecord, for coder: KeyedUnarchiver) throws(ArchiveError) -> NSURL {
        let base = try object("NS.base", in: record, of: [NSURL.self], for: coder) as? NSURL
        guard let relative = try object("NS.relative", in: record, of: [NSString.self], for: coder) as? NSString else {
            throw corrupt("the URL is missing or invalid", .url, record)
        }
        // Many URLs may share one long text, which is parsed, and stored in two forms, for each.
        let length = relative.description.utf8.count + (base?.relativeString.utf8.count ?? 0)
        try budget.take(length, each: 2, offset: record.offset)
        guard
            // A `URL` would lose its base when it is bridged to an object.
            let url = base.map({ NSURL(string: relative.description, relativeTo: $0 as URL) })
                ?? URL(string: relative.description).map({ $0 as NSURL })
        else { throw corrupt("the URL is missing or invalid", .url, record) }
        return url
    }

    private func indexSet(
        _ record: ArchiveRecord, for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> NSMutableIndexSet {
        guard let count = try number(IndexRanges.countKey, in: record), count >= 0 else {
            throw corrupt("the number of ranges is missing or invalid", .indexSet, record)
        }
        let set = NSMutableIndexSet()
        switch count {
        case 0: break
        case 1:
            guard let location = try number(IndexRanges.locationKey, in: record),
                let length = try number(IndexRanges.lengthKey, in: record),
                let range = IndexRanges.range(location, length)
            else { throw corrupt("the range is missing or invalid", .indexSet, record) }
            set.add(in: range)
        default:
            guard let data = try object(IndexRanges.dataKey, in: record, of: [NSData.self], for: coder) as? NSData,
                let ranges = IndexRanges.ranges(
                    in: UnsafeRawBufferPointer(start: data.bytes, count: data.length), count: count)
            else { throw corrupt("the ranges are missing or invalid", .indexSet, record) }
            try budget.take(ranges.count, each: ArchiveLimits.Nominal.value, offset: record.offset)
            for range in ranges { set.add(in: range) }
        }
        return set
    }

    private func geometric(_ record: ArchiveRecord, for coder: KeyedUnarchiver) throws(ArchiveError) -> GeometricForm {
        guard let kind = try number(GeometricForm.Key.kind, in: record).flatMap(GeometricForm.Kind.init) else {
            throw corrupt("the kind of value is missing or unknown", .value, record)
        }
        let key: String
        switch kind {
        case .point: key = GeometricForm.Key.point
        case .size: key = GeometricForm.Key.size
        case .rectangle: key = GeometricForm.Key.rectangle
        case .range:
            func part(_ key: String) throws(ArchiveError) -> Int? {
                try (object(key, in: record, of: [NSNumber.self], for: coder) as? NSNumber).flatMap { Int(exactly: $0) }
            }
            guard let location = try part(GeometricForm.Key.location), let length = try part(GeometricForm.Key.length),
                location >= 0, length >= 0
            else { throw corrupt("the range is missing or invalid", .value, record) }
            return .range(NSRange(location: location, length: length))
        }
        guard let text = try object(key, in: record, of: [NSString.self], for: coder) as? NSString,
            let form = GeometricForm(kind, text: text.description)
        else { throw corrupt("“\(key)” is missing or invalid", .value, record) }
        return form
    }

    private func decimalNumber(_ record: ArchiveRecord) throws(ArchiveError) -> NSDecimalNumber {
        let order = try number(DecimalForm.Key.byteOrder, in: record) ?? DecimalForm.ByteOrder.littleEndian.rawValue
        guard let exponent = try number(DecimalForm.Key.exponent, in: record),
            let length = try number(DecimalForm.Key.length, in: record),
            case .boolean(let isNegative) = try document.plain(DecimalForm.Key.isNegative, in: record),
            case .data(let range) = try document.plain(DecimalForm.Key.mantissa, in: record),
            let byteOrder = DecimalForm.ByteOrder(rawValue: order),
            let decimal = DecimalForm(
                isNegative: isNegative, exponent: exponent, words: document.list.bytes.bytes(range), length: length,
                byteOrder: byteOrder)?.decimal
        else { throw corrupt("the decimal number is incomplete or invalid", .decimalNumber, record) }
        return NSDecimalNumber(decimal: decimal)
    }

    // MARK: - Parts of a record

    func number(_ key: String, in record: ArchiveRecord) throws(ArchiveError) -> Int64? {
        guard case .integer(let number) = try document.plain(key, in: record) else { return nil }
        return number
    }

    /// Decodes the object under a key of a record; nil if the key is missing or refers to nil.
    func object(
        _ key: String, in record: ArchiveRecord, of classes: [AnyClass], for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> NSObject? {
        guard let place = try document.find(key, in: record) else { return nil }
        do throws(ArchiveError) {
            return try object(try document.uid(at: place, from: record), of: classes, from: record, for: coder)
        } catch {
            throw error.under(key)
        }
    }

    func corrupt(_ detail: String, _ valueClass: ValueClass, _ record: ArchiveRecord) -> ArchiveError {
        ArchiveDocument.corrupt(detail, valueClass, record)
    }
}
