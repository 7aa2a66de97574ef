import Foundation

/// A binary property list that is laid out as a keyed archive: where its objects and its top keys stand.
struct ArchiveDocument {
    /// The keys and values of one keyed object, found by their text.
    struct Record {
        fileprivate let keys: BinaryPropertyList.References
        fileprivate let values: BinaryPropertyList.References
        /// Filled for records with many keys, so that reading them all stays linear.
        fileprivate let index: [String: Int]?
        /// The position of the object in the file, for messages.
        let offset: Int
    }

    /// Up to this many keys a look-up compares them one by one; more are put into a hash table first.
    private static let longestScannedRecord = 16

    let list: BinaryPropertyList
    let top: Record
    private let objects: BinaryPropertyList.References

    /// How many objects the archive holds; UIDs are below this.
    var count: Int { objects.count }

    init(_ data: Data, limits: ArchiveLimits) throws(ArchiveError) {
        guard data.count <= limits.bytes else {
            throw ArchiveError(.limitExceeded, "\(data.count) bytes; the limit is \(limits.bytes)")
        }
        let list = try BinaryPropertyList(Array(data), limits: limits)
        let root = try Self.record(list, at: list.topObject, as: "the root")
        func member(_ key: String) throws(ArchiveError) -> Int {
            guard let index = try Self.find(key, in: root, of: list) else {
                throw ArchiveError(.notKeyedArchive, "the root has no “\(key)”", offset: root.offset)
            }
            return index
        }
        guard case .integer(100_000) = try list.object(at: try member("$version")) else {
            throw ArchiveError(.notKeyedArchive, "“$version” is not 100000", offset: root.offset)
        }
        guard try list.string(try list.object(at: try member("$archiver"))) == "NSKeyedArchiver" else {
            throw ArchiveError(.notKeyedArchive, "“$archiver” is not “NSKeyedArchiver”", offset: root.offset)
        }
        guard case .array(let objects) = try list.object(at: try member("$objects")), objects.count > 0 else {
            throw ArchiveError(.notKeyedArchive, "“$objects” is no array of objects", offset: root.offset)
        }
        self.list = list
        self.objects = objects
        top = try Self.record(list, at: try member("$top"), as: "“$top”")
    }

    /// The place in the file's object table of the object with a UID.
    func index(of uid: UInt32, from record: Record) throws(ArchiveError) -> Int {
        guard Int(uid) < objects.count else {
            throw ArchiveError(.corruptObject, "UID \(uid) of \(objects.count) objects", offset: record.offset)
        }
        return try list.reference(Int(uid), in: objects)
    }

    /// The place of the value under a key, nil if there is none.
    func find(_ key: String, in record: Record) throws(ArchiveError) -> Int? {
        try Self.find(key, in: record, of: list)
    }

    /// The UID of a keyed object's class.
    func classIdentifier(of record: Record) throws(ArchiveError) -> UInt32 {
        guard let index = try find("$class", in: record), case .uid(let uid) = try list.object(at: index) else {
            throw ArchiveError(.corruptObject, "an object without a class", offset: record.offset)
        }
        return uid
    }

    /// The name of a keyed object's class: what authorises it, whatever else the archive says of the class.
    func className(of record: Record) throws(ArchiveError) -> String {
        try className(try classIdentifier(of: record), from: record)
    }

    func className(_ uid: UInt32, from record: Record) throws(ArchiveError) -> String {
        let description = try self.record(at: try self.index(of: uid, from: record))
        guard let place = try find("$classname", in: description),
            let name = try list.string(try list.object(at: place))
        else { throw ArchiveError(.corruptObject, "a class without a name", offset: description.offset) }
        return name
    }

    /// A keyed object of one of Foundation's classes; nil if it is of another.
    func record(at index: Int, of valueClass: ValueClass) throws(ArchiveError) -> Record? {
        guard case .dictionary = try list.object(at: index) else { return nil }
        let record = try record(at: index)
        return try className(of: record) == valueClass.rawValue ? record : nil
    }

    func record(at index: Int) throws(ArchiveError) -> Record {
        try Self.record(list, at: index, as: "the object")
    }

    private static func find(
        _ key: String, in record: Record, of list: BinaryPropertyList
    ) throws(ArchiveError) -> Int? {
        if let index = record.index {
            guard let position = index[key] else { return nil }
            return try list.reference(position, in: record.values)
        }
        for position in 0..<record.keys.count {
            if try isKey(key, at: position, in: record.keys, of: list) {
                return try list.reference(position, in: record.values)
            }
        }
        return nil
    }

    private static func isKey(
        _ key: String, at position: Int, in keys: BinaryPropertyList.References, of list: BinaryPropertyList
    ) throws(ArchiveError) -> Bool {
        let object = try list.object(at: try list.reference(position, in: keys))
        if case .asciiString(let range) = object {
            // Comparing bytes saves making a string of each key that is passed over.
            return range.count == key.utf8.count && key.utf8.elementsEqual(list.bytes[range])
        }
        return try list.string(object) == key
    }

    private static func record(
        _ list: BinaryPropertyList, at index: Int, as what: String
    ) throws(ArchiveError) -> Record {
        let offset = try list.offset(of: index)
        guard case .dictionary(let keys, let values) = try list.object(at: index) else {
            throw ArchiveError(.notKeyedArchive, "\(what) is no dictionary", offset: offset)
        }
        guard keys.count > longestScannedRecord else {
            try checkKeys(keys, of: list, offset: offset)
            return Record(keys: keys, values: values, index: nil, offset: offset)
        }
        var positions = [String: Int](minimumCapacity: keys.count)
        for position in 0..<keys.count {
            let key = try keyText(position, in: keys, of: list, offset: offset)
            guard positions.updateValue(position, forKey: key) == nil else {
                throw duplicate(key, offset)
            }
        }
        return Record(keys: keys, values: values, index: positions, offset: offset)
    }

    /// Short records are compared pair by pair: two readers of one message must not see different values.
    private static func checkKeys(
        _ keys: BinaryPropertyList.References, of list: BinaryPropertyList, offset: Int
    ) throws(ArchiveError) {
        for position in 0..<keys.count {
            let object = try list.object(at: try list.reference(position, in: keys))
            if case .asciiString(let range) = object, list.isASCII(range) {
                for earlier in 0..<position where try isKey(range, at: earlier, in: keys, of: list) {
                    throw duplicate(try keyText(position, in: keys, of: list, offset: offset), offset)
                }
            } else {
                let key = try keyText(position, in: keys, of: list, offset: offset)
                for earlier in 0..<position where try isKey(key, at: earlier, in: keys, of: list) {
                    throw duplicate(key, offset)
                }
            }
        }
    }

    private static func duplicate(_ key: String, _ offset: Int) -> ArchiveError {
        ArchiveError(.duplicateKey, "“\(key)”", offset: offset)
    }

    /// Whether a key is the same as one whose ASCII text stands at `range`; no string is made for the usual keys.
    private static func isKey(
        _ range: Range<Int>, at position: Int, in keys: BinaryPropertyList.References, of list: BinaryPropertyList
    ) throws(ArchiveError) -> Bool {
        let object = try list.object(at: try list.reference(position, in: keys))
        guard case .asciiString(let other) = object else {
            return try list.string(object)?.utf8.elementsEqual(list.bytes[range]) ?? false
        }
        return range.count == other.count && list.bytes[range].elementsEqual(list.bytes[other])
    }

    private static func keyText(
        _ position: Int, in keys: BinaryPropertyList.References, of list: BinaryPropertyList, offset: Int
    ) throws(ArchiveError) -> String {
        guard let key = try list.string(try list.object(at: try list.reference(position, in: keys))) else {
            throw ArchiveError(.typeMismatch, "dictionary key is no string", offset: offset)
        }
        return key
    }
}
