import Foundation

extension ObjectDecoder {
    /// Calls a closure with the UID of each element of a collection and their number, which is zero if it is not known
    /// in advance.
    func forEachElement(
        _ list: CollectionList, of record: ArchiveRecord, _ valueClass: ValueClass,
        _ body: (_ uid: UInt32, _ count: Int) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        guard let run = try document.elements(list, of: record) else {
            return try forEachNumbered(list, of: record, valueClass, body)
        }
        try budget.take(run.count, each: ArchiveLimits.Nominal.reference, offset: record.offset)
        for position in 0..<run.count {
            do throws(ArchiveError) {
                let place = try document.list.reference(position, in: run)
                try body(try document.uid(at: place, from: record), run.count)
            } catch {
                throw error.under("\(list.rawValue)[\(position)]")
            }
        }
    }

    private func forEachNumbered(
        _ list: CollectionList, of record: ArchiveRecord, _ valueClass: ValueClass,
        _ body: (_ uid: UInt32, _ count: Int) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var (position, next) = (0, 0)
        while let place = try document.find(list.numberedKey(position), in: record, next: &next) {
            do throws(ArchiveError) {
                try body(try document.uid(at: place, from: record), 0)
            } catch {
                throw error.under(list.numberedKey(position))
            }
            position += 1
        }
        // An empty ordered set has no key at all, as it has only this form; other empty collections have an empty list.
        guard position > 0 || valueClass == .orderedSet || valueClass == .mutableOrderedSet else {
            throw ArchiveError(
                .missingValue, "no “\(list.rawValue)”", kind: valueClass.name, offset: record.offset)
        }
    }

    func objects<Element: AnyObject>(
        _ list: CollectionList, of record: ArchiveRecord, _ valueClass: ValueClass, allowing classes: [AnyClass],
        for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> [Element] {
        var elements: [Element] = []
        try forEachElement(list, of: record, valueClass) { uid, count throws(ArchiveError) in
            if elements.isEmpty { elements.reserveCapacity(count) }
            guard let element = try object(uid, of: classes, from: record, for: coder) as? Element else {
                throw ArchiveError(.corruptObject, "nil inside a collection", kind: "nil", offset: record.offset)
            }
            elements.append(element)
        }
        return elements
    }

    /// Decodes the elements of a collection that looks them up by their hashes.
    func distinct<Element: AnyObject>(
        _ list: CollectionList, of record: ArchiveRecord, _ valueClass: ValueClass, allowing classes: [AnyClass],
        for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> [Element] {
        let elements: [Element] = try objects(list, of: record, valueClass, allowing: classes, for: coder)
        try checkHashes(of: elements, record)
        return elements
    }

    /// Throws for elements that Foundation cannot look up, and if comparing those with equal hashes would take too long.
    private func checkHashes(of elements: [some AnyObject], _ record: ArchiveRecord) throws(ArchiveError) {
        if let refused = elements.first(where: { !FoundationEquality.canLookUp($0) }) {
            throw ArchiveError(
                .typeMismatch, "an element that Foundation cannot look up", kind: "\(type(of: refused))",
                offset: record.offset)
        }
        guard elements.count > 1 else { return }
        guard !FoundationEquality.holdsTwoForms(elements) else {
            throw ArchiveError(.duplicateKey, "one text in two Unicode forms", offset: record.offset)
        }
        let hashed = elements.map { (hash: ($0 as? NSObject)?.hash ?? 0, length: FoundationEquality.length(of: $0)) }
            .sorted { $0.hash < $1.hash }
        var (first, longest) = (0, 0)
        for position in hashed.indices {
            if hashed[position].hash != hashed[first].hash { (first, longest) = (position, 0) }
            longest = max(longest, hashed[position].length)
            try budget.compare(position - first, length: longest, offset: record.offset)
        }
    }

    func dictionary(
        _ record: ArchiveRecord, _ valueClass: ValueClass, allowing classes: [AnyClass], for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> NSObject {
        let keys: [NSObject] = try distinct(.keys, of: record, valueClass, allowing: classes, for: coder)
        let values: [AnyObject] = try objects(.elements, of: record, valueClass, allowing: classes, for: coder)
        guard keys.count == values.count else {
            throw ArchiveError(
                .corruptObject, "\(keys.count) keys for \(values.count) values", kind: valueClass.name,
                offset: record.offset)
        }
        if let refused = keys.first(where: { !FoundationEquality.canBeKey($0) }) {
            throw ArchiveError(
                .typeMismatch, "a key that Foundation's dictionaries cannot store", kind: "\(type(of: refused))",
                offset: record.offset)
        }
        let dictionary =
            valueClass == .mutableDictionary
            ? NSMutableDictionary(objects: values, forKeys: keys, count: keys.count)
            : NSDictionary(objects: values, forKeys: keys, count: keys.count)
        guard dictionary.count == keys.count else {
            throw ArchiveError(
                .duplicateKey, "\(keys.count) keys, \(dictionary.count) of them distinct", kind: valueClass.name,
                offset: record.offset)
        }
        return dictionary
    }

    func countedSet(
        _ record: ArchiveRecord, allowing classes: [AnyClass], for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> NSCountedSet {
        guard let length = try number(CountedElements.countKey, in: record), length >= 0,
            length <= record.entries.count
        else { throw corrupt("the number of elements is missing or invalid", .countedSet, record) }
        var (elements, counts) = ([NSObject](), [Int]())
        for position in 0..<Int(length) {
            guard
                let element = try object(
                    CountedElements.elementKey(position), in: record, of: classes, for: coder),
                let count = try number(CountedElements.countKey(position), in: record), count > 0
            else { throw corrupt("element \(position) or its count is missing", .countedSet, record) }
            try budget.count(count, offset: record.offset)
            elements.append(element)
            counts.append(Int(count))
        }
        try checkHashes(of: elements, record)
        let set = NSCountedSet()
        for (element, count) in zip(elements, counts) {
            for _ in 0..<count { set.add(element) }
        }
        return set
    }

    /// Decodes the elements of an array under a key of the current object, without an intermediate `NSArray`: all must
    /// be of the class.
    func objects(of cls: NSObject.Type, forKey key: String, for coder: KeyedUnarchiver) -> [NSObject]? {
        array(forKey: key) { record throws(ArchiveError) in
            try descend(into: record, allowing: [cls]) { () throws(ArchiveError) in
                let elements: [NSObject] = try objects(.elements, of: record, .array, allowing: [cls], for: coder)
                // Delegates, and classes set for a name, may produce objects of other classes.
                for element in elements where type(of: element) != cls && !element.isKind(of: cls) {
                    throw ArchiveError(.typeMismatch, "not \(cls)", kind: "\(type(of: element))", offset: record.offset)
                }
                return elements
            }
        }
    }

    /// Decodes an array of plain values under a key of the current object, without creating objects.
    @inline(__always)
    func scalars<Element: ArchivedScalar>(of type: Element.Type, forKey key: String) -> [Element]? {
        array(forKey: key) { record throws(ArchiveError) in
            var elements: [Element] = []
            try forEachElement(.elements, of: record, .array) { uid, count throws(ArchiveError) in
                if elements.isEmpty { elements.reserveCapacity(count) }
                let index = try document.index(of: uid, from: record)
                // Most such arrays contain numbers.
                if type == Int.self, let number = try document.list.shortInteger(at: index).map({ Int($0) }) {
                    return elements.append(unsafeBitCast(number, to: Element.self))
                }
                let object = try document.list.object(at: index)
                var value = PropertyListValue(scalar: object)
                if value == nil { value = try document.list.body(of: object, budget) }
                guard let value, let element = Element(archived: value) else {
                    throw ArchiveError(.typeMismatch, "not \(type)", kind: object.kind, offset: record.offset)
                }
                elements.append(element)
            }
            return elements
        }
    }

    @inline(__always)
    private func array<Element>(
        forKey key: String, _ make: (ArchiveRecord) throws(ArchiveError) -> [Element]
    ) -> [Element]? {
        swiftValue(forKey: key, wanted: "an array") { uid, object, index throws(ArchiveError) -> [Element]? in
            guard case .dictionary(let entries) = object else { return nil }
            let place = try classes.place(ofClassOf: entries, at: index)
            guard let valueClass = classes.valueClass(place), valueClass == .array || valueClass == .mutableArray else {
                return nil
            }
            return try sharing(uid, charge: { _ throws(ArchiveError) in }) { () throws(ArchiveError) -> [Element]? in
                mark(open: uid)
                let elements = try make(try classes.record(at: index, entries, place))
                mark(readOnce: uid)
                return elements
            }
        }
    }
}
