import Foundation

extension ArchiveDocument {
    /// Returns the value stored directly under a key of a record.
    func plain(_ key: String, in record: ArchiveRecord) throws(ArchiveError) -> BinaryPropertyList.Object? {
        guard let place = try find(key, in: record) else { return nil }
        return try list.object(at: place)
    }

    @inline(__always)
    func uid(at place: Int, from record: ArchiveRecord) throws(ArchiveError) -> UInt32 {
        if let uid = try list.shortIdentifier(at: place) { return uid }
        return try longIdentifier(at: place, from: record)
    }

    @inline(never)
    private func longIdentifier(at place: Int, from record: ArchiveRecord) throws(ArchiveError) -> UInt32 {
        let object = try list.object(at: place)
        guard case .uid(let uid) = object else {
            throw ArchiveError(
                .typeMismatch, "a plain value instead of an object reference", kind: object.kind, offset: record.offset)
        }
        return uid
    }

    /// Returns the time of a date's record, in seconds since 2001-01-01 00:00:00 UTC.
    func seconds(of record: ArchiveRecord) throws(ArchiveError) -> Double {
        guard case .real(let seconds) = try plain("NS.time", in: record) else {
            throw Self.missing("time", "NS.time", .date, record)
        }
        // Printing a date that is not finite traps on Linux, so none may be created.
        guard seconds.isFinite else { throw Self.corrupt("date is not a finite number", .date, record) }
        return seconds
    }

    func uuid(of record: ArchiveRecord) throws(ArchiveError) -> UUID {
        guard case .data(let range) = try plain("NS.uuidbytes", in: record) else {
            throw Self.missing("data", "NS.uuidbytes", .uuid, record)
        }
        let bytes = list.bytes.bytes(range)
        guard bytes.count == MemoryLayout<uuid_t>.size else {
            throw Self.corrupt("UUID of \(range.count) bytes", .uuid, record)
        }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// Returns the text of an object of a string class.
    func text(of record: ArchiveRecord, _ budget: DecodingBudget) throws(ArchiveError) -> String {
        guard let plain = try plain("NS.string", in: record), let text = try list.string(plain) else {
            throw Self.missing("string", "NS.string", .mutableString, record)
        }
        // Not charged as copied: equal texts of several objects are written once.
        try budget.take(plain.bodyLength, each: 1, offset: record.offset)
        return text
    }

    /// Returns the range of the data of an object of a data class: directly under its key or, in old archives, through
    /// a reference.
    func dataRange(of record: ArchiveRecord) throws(ArchiveError) -> Range<Int> {
        var object = try plain("NS.data", in: record)
        if case .uid(let uid) = object { object = try list.object(at: try index(of: uid, from: record)) }
        guard case .data(let range) = object else { throw Self.missing("data", "NS.data", .mutableData, record) }
        return range
    }

    /// Returns the references to a collection's elements; nil if the key is missing.
    func elements(
        _ list: CollectionList, of record: ArchiveRecord
    ) throws(ArchiveError) -> BinaryPropertyList.References? {
        guard let object = try plain(list.rawValue, in: record) else { return nil }
        guard case .array(let run) = object else {
            throw ArchiveError(
                .typeMismatch, "“\(list.rawValue)” is not an array", kind: object.kind, offset: record.offset)
        }
        return run
    }

    static func corrupt(_ detail: String, _ valueClass: ValueClass, _ record: ArchiveRecord) -> ArchiveError {
        ArchiveError(.corruptObject, detail, kind: valueClass.name, offset: record.offset)
    }

    static func missing(
        _ what: String, _ key: String, _ valueClass: ValueClass, _ record: ArchiveRecord
    ) -> ArchiveError {
        ArchiveError(.missingValue, "no \(what) under “\(key)”", kind: valueClass.name, offset: record.offset)
    }
}
