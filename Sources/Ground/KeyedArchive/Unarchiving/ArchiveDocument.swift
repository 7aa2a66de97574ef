import Foundation

/// A binary property list with the structure of a keyed archive: the positions of its objects and its top keys.
struct ArchiveDocument {
    let list: BinaryPropertyList
    let top: ArchiveRecord
    private let objects: BinaryPropertyList.References

    /// The number of objects in the archive; UIDs are below it.
    var count: Int { objects.count }

    /// - Parameter buffer: The bytes of the archive; they must stay in place while this is used.
    init(
        _ buffer: UnsafeRawBufferPointer, limits: ArchiveLimits, _ budget: DecodingBudget
    ) throws(ArchiveError) {
        let list = try BinaryPropertyList(buffer, limits: limits)
        let root = try Self.record(list, at: list.topObject, as: "the root", budget)
        var next = 0
        func member(_ key: String) throws(ArchiveError) -> Int {
            guard let index = try Self.find(key, in: root, of: list, next: &next) else {
                throw ArchiveError(.notKeyedArchive, "the root has no “\(key)”", offset: root.offset)
            }
            return index
        }
        guard case .integer(100_000) = try list.object(at: try member("$version")) else {
            throw ArchiveError(.notKeyedArchive, "“$version” is not 100000", offset: root.offset)
        }
        guard case .asciiString(let archiver) = try list.object(at: try member("$archiver")),
            "NSKeyedArchiver".hasBytes(list.bytes.bytes(archiver))
        else { throw ArchiveError(.notKeyedArchive, "“$archiver” is not “NSKeyedArchiver”", offset: root.offset) }
        let topIndex = try member("$top")
        guard case .array(let objects) = try list.object(at: try member("$objects")), objects.count > 0 else {
            throw ArchiveError(.notKeyedArchive, "“$objects” is not an array of objects", offset: root.offset)
        }
        self.list = list
        self.objects = objects
        top = try Self.record(list, at: topIndex, as: "“$top”", budget)
    }

    /// Returns the index in the file's object table of the object with a UID.
    @inline(__always)
    func index(of uid: UInt32, from record: ArchiveRecord) throws(ArchiveError) -> Int {
        guard Int(uid) < objects.count else { throw stray(uid, record) }
        return try list.reference(Int(uid), in: objects)
    }

    @inline(never)
    private func stray(_ uid: UInt32, _ record: ArchiveRecord) -> ArchiveError {
        ArchiveError(.corruptObject, "UID \(uid) of \(objects.count) objects", kind: "UID", offset: record.offset)
    }

    /// Returns the index of the value under a key; nil if the key is missing.
    ///
    /// - Parameter next: The position to check first; set to the one after the key that was found, as keys are mostly
    ///   read in order.
    @inline(__always)
    func find(_ key: String, in record: ArchiveRecord, next: inout Int) throws(ArchiveError) -> Int? {
        try Self.find(key, in: record, of: list, next: &next)
    }

    func find(_ key: String, in record: ArchiveRecord) throws(ArchiveError) -> Int? {
        var next = 0
        return try find(key, in: record, next: &next)
    }

    /// Returns the UID of a keyed object's class. The object's keys need not be checked yet.
    func classIdentifier(of entries: BinaryPropertyList.Entries, at index: Int) throws(ArchiveError) -> UInt32 {
        let key = BinaryPropertyList.SoughtKey("$class")
        // Writers put it first or last.
        var position = entries.count - 1
        for _ in 0..<entries.count {
            if try list.isKey(key, at: position, in: entries) {
                let place = try list.value(position, in: entries)
                if let uid = try list.shortIdentifier(at: place) { return uid }
                guard case .uid(let uid) = try list.object(at: place) else { break }
                return uid
            }
            position = position == entries.count - 1 ? 0 : position + 1
        }
        throw ArchiveError(
            .corruptObject, "an object without a class", kind: "dictionary", offset: try list.offset(of: index))
    }

    /// Returns the name of a class, which alone authorizes its objects, whatever else the archive claims about it.
    func className(
        _ uid: UInt32, from record: ArchiveRecord, _ budget: DecodingBudget, _ checkedKeys: inout UnsafeRawBufferPointer
    ) throws(ArchiveError) -> BinaryPropertyList.Object {
        let index = try index(of: uid, from: record)
        guard case .dictionary(let entries) = try list.object(at: index) else {
            throw ArchiveError(.corruptObject, "a class that is not a dictionary", kind: "class", offset: record.offset)
        }
        let description = try self.record(at: index, entries, budget, &checkedKeys)
        if let place = try find("$classname", in: description) {
            let name = try list.object(at: place)
            switch name {
            case .asciiString, .utf16String: return name
            case .null, .boolean, .integer, .unsigned, .float, .real, .date, .data, .uid, .array, .set, .dictionary:
                break
            }
        }
        throw ArchiveError(.corruptObject, "a class without a name", kind: "class", offset: description.offset)
    }

    /// Returns the names of a class and its ancestors, as claimed by the archive; empty if it does not list them.
    func classNames(
        _ uid: UInt32, from record: ArchiveRecord, _ budget: DecodingBudget
    ) throws(ArchiveError) -> [String] {
        let description = try self.record(at: try index(of: uid, from: record), budget)
        guard let place = try find("$classes", in: description), case .array(let run) = try list.object(at: place)
        else { return [] }
        var names: [String] = []
        try budget.visit(run.count, offset: description.offset)
        for position in 0..<run.count {
            let object = try list.object(at: try list.reference(position, in: run))
            guard let name = try list.string(object) else {
                throw ArchiveError(
                    .corruptObject, "a class whose name is not text", kind: "class", offset: description.offset)
            }
            try budget.copy(name.utf8.count, offset: description.offset)
            names.append(name)
        }
        return names
    }

    /// Returns the checked keys of a dictionary: with a single comparison if the previous dictionary had the same keys.
    ///
    /// - Parameter checkedKeys: The references to the keys that were checked last.
    @inline(__always)
    func record(
        at index: Int, _ entries: BinaryPropertyList.Entries, _ budget: DecodingBudget,
        _ checkedKeys: inout UnsafeRawBufferPointer
    ) throws(ArchiveError) -> ArchiveRecord {
        let keys = list.keyReferences(of: entries)
        if entries.count <= ArchiveRecord.longestScanned, keys.equals(checkedKeys) {
            return ArchiveRecord(entries: entries, index: nil, offset: try list.offset(of: index))
        }
        let record = try record(at: index, budget)
        checkedKeys = keys
        return record
    }

    func record(at index: Int, _ budget: DecodingBudget) throws(ArchiveError) -> ArchiveRecord {
        try Self.record(list, at: index, as: "the object", budget)
    }

    @inline(__always)
    private static func find(
        _ key: String, in record: ArchiveRecord, of list: BinaryPropertyList, next: inout Int
    ) throws(ArchiveError) -> Int? {
        let entries = record.entries
        if let index = record.index {
            guard
                let position = try index.takeUnretainedValue().position(
                    of: key, in: entries, of: list, offset: record.offset)
            else {
                return nil
            }
            return try list.value(position, in: entries)
        }
        let sought = BinaryPropertyList.SoughtKey(key)
        var position = next
        for _ in 0..<entries.count {
            if position >= entries.count { position = 0 }
            if try list.isKey(sought, at: position, in: entries) {
                next = position + 1
                return try list.value(position, in: entries)
            }
            position += 1
        }
        return nil
    }

    private static func record(
        _ list: BinaryPropertyList, at index: Int, as what: String, _ budget: DecodingBudget
    ) throws(ArchiveError) -> ArchiveRecord {
        let offset = try list.offset(of: index)
        guard case .dictionary(let entries) = try list.object(at: index) else {
            throw ArchiveError(.notKeyedArchive, "\(what) is not a dictionary", offset: offset)
        }
        guard entries.count > ArchiveRecord.longestScanned else {
            try list.checkKeys(of: entries, offset: offset, budget)
            return ArchiveRecord(entries: entries, index: nil, offset: offset)
        }
        try budget.visit(entries.count, offset: offset)
        let keys = try KeyIndex(entries, of: list, offset: offset, budget)
        return ArchiveRecord(entries: entries, index: budget.keep(keys), offset: offset)
    }
}
