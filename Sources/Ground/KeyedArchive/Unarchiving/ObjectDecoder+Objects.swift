import Foundation

extension ObjectDecoder {
    var noRoot: ArchiveError { ArchiveError(.missingValue, "“$top” has no “\(KeyedArchiver.rootKey)”") }

    /// Creates the object at an index of the file's object table.
    func make(at index: Int, of classes: [AnyClass], for coder: KeyedUnarchiver) throws(ArchiveError) -> NSObject {
        let plain = try document.list.object(at: index)
        let offset = try document.list.offset(of: index)
        let object: NSObject
        let cls: AnyClass
        switch plain {
        case .dictionary(let entries): return try make(entries, at: index, of: classes, for: coder)
        case .boolean(let value): (object, cls) = (NSNumber(value: value), NSNumber.self)
        case .integer(let value): (object, cls) = (NSNumber(value: value), NSNumber.self)
        case .unsigned(let value): (object, cls) = (NSNumber(value: value), NSNumber.self)
        case .float(let value): (object, cls) = (NSNumber(value: value), NSNumber.self)
        case .real(let value): (object, cls) = (NSNumber(value: value), NSNumber.self)
        case .asciiString(let range), .utf16String(let range):
            try budget.copy(range.count, offset: offset)
            (object, cls) = (NSString(string: try document.list.string(plain) ?? ""), NSString.self)
        case .data(let range): (object, cls) = (try data(range), NSData.self)
        case .null, .date, .uid, .array, .set:
            throw ArchiveError(.corruptObject, "cannot be an archived object", kind: plain.kind, offset: offset)
        }
        guard ClassTable.allows(cls, classes) else { throw notAllowed("\(cls)", at: offset) }
        return object
    }

    func data(_ range: Range<Int>) throws(ArchiveError) -> NSData {
        try budget.copy(range.count, offset: range.lowerBound)
        let bytes = document.list.bytes.bytes(range)
        return NSData(bytes: bytes.baseAddress, length: bytes.count)
    }

    private func make(
        _ entries: BinaryPropertyList.Entries, at index: Int, of allowed: [AnyClass], for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> NSObject {
        let place = try classes.place(ofClassOf: entries, at: index)
        let record = try classes.record(at: index, entries, place)
        var object = try descend(into: record, allowing: allowed) { () throws(ArchiveError) in
            try make(record, place, of: allowed, for: coder)
        }
        if hasDelegate, let delegate = coder.delegate {
            guard let replacement = delegate.unarchiver(coder, didDecode: object) as? NSObject else {
                throw ArchiveError(
                    .initialiserFailed, "the delegate replaced it with nil", kind: try classes.name(place),
                    offset: record.offset)
            }
            object = replacement
        }
        return object
    }

    private func make(
        _ record: ArchiveRecord, _ place: Int, of allowed: [AnyClass], for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> NSObject {
        if let valueClass = classes.valueClass(place) {
            guard ClassTable.allows(valueClass.foundationClass, allowed) else {
                throw notAllowed(valueClass.name, at: record.offset)
            }
            return try value(of: valueClass, from: record, allowing: allowed, for: coder)
        }
        // An object of another class counts as one element, whatever it contains.
        defer { elementCount = 0 }
        guard let coding = try resolve(place, among: allowed, record, for: coder) else {
            return try archivedObject(record, place, allowing: allowed, for: coder)
        }
        let object = coding.init(coder: coder)
        if hasFailed, let firstError { throw firstError }
        guard let object else {
            let name = try classes.name(place)
            throw ArchiveError(
                .initialiserFailed, "“\(name)” refused its archived form", kind: name, offset: record.offset)
        }
        return object
    }

    // MARK: - Classes

    /// Returns the class to instantiate: the one that was set for the name, else an allowed class that is archived
    /// under it, else the delegate's choice. Nil if none is found and unknown classes are decoded as values.
    private func resolve(
        _ place: Int, among allowed: [AnyClass], _ record: ArchiveRecord, for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> (any (NSObject & NSCoding).Type)? {
        if let coding = classes.coding(place), ClassTable.allows(coding, allowed) { return coding }
        let name = try classes.name(place)
        if let coding = try find(name, among: allowed, record) {
            classes.setCoding(coding, place)
            return coding
        }
        if let type = try substitute(place, name, record, for: coder) {
            guard let coding = ClassNames.shared.reading(type).coding else { throw noCoding(name, record) }
            return coding
        }
        guard decodesUnknownClasses else { throw notAllowed(name, at: record.offset) }
        return nil
    }

    private func noCoding(_ name: String, _ record: ArchiveRecord) -> ArchiveError {
        ArchiveError(.unknownClass, "“\(name)” does not adopt NSCoding", kind: name, offset: record.offset)
    }

    private func find(
        _ name: String, among allowed: [AnyClass], _ record: ArchiveRecord
    ) throws(ArchiveError) -> (any (NSObject & NSCoding).Type)? {
        if let type = classes.cls(for: name) {
            guard ClassTable.allows(type, allowed) else { return nil }
            guard let coding = ClassNames.shared.reading(type).coding else { throw noCoding(name, record) }
            return coding
        }
        for type in allowed {
            let reading = ClassNames.shared.reading(type)
            guard reading.name == name else { continue }
            guard let coding = reading.coding else { throw noCoding(name, record) }
            // Foundation classes are read only if this codec knows their form.
            guard !reading.isFoundations else {
                throw ArchiveError(
                    .unknownClass, "“\(name)” is not supported by this codec", kind: name, offset: record.offset)
            }
            return coding
        }
        return nil
    }

    private func substitute(
        _ place: Int, _ name: String, _ record: ArchiveRecord, for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> AnyClass? {
        guard hasDelegate, let delegate = coder.delegate else { return nil }
        let names = try document.classNames(classes.uid(place), from: record, budget)
        return delegate.unarchiver(coder, cannotDecodeObjectOfClassName: name, originalClasses: names)
    }

    // MARK: - Unknown classes

    private func archivedObject(
        _ record: ArchiveRecord, _ place: Int, allowing allowed: [AnyClass], for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> NSObject {
        let list = document.list
        try budget.take(2 * record.entries.count, each: ArchiveLimits.Nominal.value, offset: record.offset)
        var values = [String: Any](minimumCapacity: record.entries.count)
        for position in 0..<record.entries.count {
            let key = try list.keyText(position, in: record.entries, offset: record.offset)
            guard key != "$class" else { continue }
            do throws(ArchiveError) {
                try budget.copy(key.utf8.count, offset: record.offset)
                values[key] = try plainOrObject(
                    at: try list.value(position, in: record.entries), record, allowing: allowed, for: coder)
            } catch {
                throw error.under(key)
            }
        }
        let names = try document.classNames(classes.uid(place), from: record, budget)
        return ArchivedObject(className: try classes.name(place), classNames: names, values: values)
    }

    private func plainOrObject(
        at index: Int, _ record: ArchiveRecord, allowing classes: [AnyClass], for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> Any? {
        let object = try document.list.object(at: index)
        if case .uid(let uid) = object { return try self.object(uid, of: classes, from: record, for: coder) }
        if case .array(let run) = object {
            try budget.take(run.count, each: ArchiveLimits.Nominal.value, offset: record.offset)
            var elements: [Any] = []
            for position in 0..<run.count {
                let place = try document.list.reference(position, in: run)
                let uid = try document.uid(at: place, from: record)
                elements.append(try self.object(uid, of: classes, from: record, for: coder) ?? NSNull.one)
            }
            return elements
        }
        if let scalar = PropertyListValue(scalar: object) { return scalar.object }
        return try document.list.body(of: object, budget).object
    }
}
