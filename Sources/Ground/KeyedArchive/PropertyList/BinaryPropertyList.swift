import Foundation

/// A binary property list with a validated trailer, whose objects are read in place, on demand.
///
/// Nothing is allocated for an object until it is requested, and every offset, count and reference is checked against
/// the actual bytes first. The trailer checks are CoreFoundation's own, so that nothing is accepted here that Apple's
/// reader refuses.
struct BinaryPropertyList {
    /// A run of references to objects: the elements of an array, or the keys or the values of a dictionary.
    struct References {
        let start: Int
        let count: Int
    }

    /// The references of a dictionary: its keys, then its values.
    struct Entries {
        let start: Int
        let count: Int
    }

    /// An object; a body is left undecoded.
    enum Object {
        case null
        case boolean(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        case float(Float)
        case real(Double)
        case date(Double)
        case data(Range<Int>)
        case asciiString(Range<Int>)
        case utf16String(Range<Int>)
        case uid(UInt32)
        case array(References)
        case set(References)
        case dictionary(Entries)
    }

    let bytes: InputBytes
    let objectCount: Int
    let topObject: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let offsetTable: Int

    /// - Parameter buffer: The bytes of the file; they must stay in place while this is used.
    init(_ buffer: UnsafeRawBufferPointer, limits: ArchiveLimits) throws(ArchiveError) {
        guard buffer.count <= limits.bytes else {
            throw ArchiveError(.limitExceeded, "\(buffer.count) bytes; the limit is \(limits.bytes)")
        }
        guard buffer.count > FileFrame.headerLength + FileFrame.trailerLength,
            let bytes = InputBytes(buffer), bytes.bigEndian(at: 0, width: 8) == FileFrame.headerNumber
        else {
            throw ArchiveError(.notPropertyList, "\(buffer.count) bytes that do not start with “bplist00”", offset: 0)
        }
        let trailer = bytes.count - FileFrame.trailerLength
        func trailerError(_ detail: String) -> ArchiveError { ArchiveError(.corruptTrailer, detail, offset: trailer) }

        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw trailerError("widths of \(offsetSize) and \(referenceSize) bytes; 1 to 8 are allowed")
        }
        let count = bytes.bigEndian(at: trailer + 8, width: 8)
        let top = bytes.bigEndian(at: trailer + 16, width: 8)
        let table = bytes.bigEndian(at: trailer + 24, width: 8)
        guard count >= 1, top < count else { throw trailerError("top object \(top) of \(count)") }
        guard count <= UInt64(limits.objects) else {
            throw ArchiveError(.limitExceeded, "\(count) objects; the limit is \(limits.objects)", offset: trailer)
        }
        guard table >= 9, table < UInt64(trailer) else { throw trailerError("offset table at \(table)") }
        guard table + count * UInt64(offsetSize) == UInt64(trailer) else {
            throw trailerError(
                "\(count) offsets of \(offsetSize) bytes do not fill the space from \(table) to \(trailer)")
        }
        guard Self.holds(count, width: referenceSize), Self.holds(table, width: offsetSize) else {
            throw trailerError("widths too small for \(count) objects and a table at \(table)")
        }
        self.bytes = bytes
        objectCount = Int(count)
        topObject = Int(top)
        offsetTable = Int(table)
    }

    /// Returns the UID at an index of the object table, if it has one or two bytes, as nearly all do; else nil.
    @inline(__always)
    func shortIdentifier(at index: Int) throws(ArchiveError) -> UInt32? {
        let offset = try offset(of: index)
        let width = Int(bytes[offset] &- ObjectMarker.uid) + 1
        guard width <= 2, holds(width, after: offset) else { return nil }
        return UInt32(truncatingIfNeeded: bytes.bigEndian(at: offset + 1, width: width))
    }

    /// Returns the integer at an index of the object table, if it has at most eight bytes, as nearly all do; else nil.
    @inline(__always)
    func shortInteger(at index: Int) throws(ArchiveError) -> Int64? {
        let offset = try offset(of: index)
        let exponent = bytes[offset] &- ObjectMarker.integer
        guard exponent <= 3, holds(1 << Int(exponent), after: offset) else { return nil }
        return Int64(bitPattern: bytes.bigEndian(at: offset + 1, width: 1 << Int(exponent)))
    }

    /// Reads an object. `index` is checked, as it may come from the input.
    func object(at index: Int) throws(ArchiveError) -> Object {
        let offset = try offset(of: index)
        let marker = bytes[offset]
        switch marker & 0xF0 {
        case 0x00:
            switch marker {
            case ObjectMarker.null: return .null
            case ObjectMarker.no: return .boolean(false)
            case ObjectMarker.yes: return .boolean(true)
            default: throw unknownMarker(marker, offset)
            }
        case ObjectMarker.integer: return try integer(marker, offset)
        case 0x20: return try floatingPoint(marker, offset)
        case 0x30: return try date(marker, offset)
        case ObjectMarker.data: return .data(try body(at: offset, unit: 1, kind: "data"))
        case ObjectMarker.asciiString: return .asciiString(try body(at: offset, unit: 1, kind: "string"))
        case ObjectMarker.utf16String: return .utf16String(try body(at: offset, unit: 2, kind: "string"))
        case ObjectMarker.uid: return try uid(marker, offset)
        case ObjectMarker.array: return .array(try references(at: offset, kind: "array"))
        case ObjectMarker.set: return .set(try references(at: offset, kind: "set"))
        case ObjectMarker.dictionary:
            let (start, count) = try countedBody(at: offset, unit: 2 * referenceSize, kind: "dictionary")
            return .dictionary(Entries(start: start, count: count))
        default: throw unknownMarker(marker, offset)
        }
    }

    /// Returns the index of the object to which the reference at `position` of a run points.
    @inline(__always)
    func reference(_ position: Int, in run: References) throws(ArchiveError) -> Int {
        try reference(at: run.start + position * referenceSize)
    }

    @inline(__always)
    func key(_ position: Int, in entries: Entries) throws(ArchiveError) -> Int {
        try reference(at: entries.start + position * referenceSize)
    }

    @inline(__always)
    func value(_ position: Int, in entries: Entries) throws(ArchiveError) -> Int {
        try reference(at: entries.start + (entries.count + position) * referenceSize)
    }

    /// Returns the bytes of the references to a dictionary's keys: equal bytes mean equal keys.
    func keyReferences(of entries: Entries) -> UnsafeRawBufferPointer {
        bytes.bytes(entries.start..<(entries.start + entries.count * referenceSize))
    }

    @inline(__always)
    private func reference(at place: Int) throws(ArchiveError) -> Int {
        let index = bytes.bigEndian(at: place, width: referenceSize)
        guard index < UInt64(objectCount) else { throw strayReference(index, at: place) }
        return Int(index)
    }

    /// Returns the offset of an object's marker.
    @inline(__always)
    func offset(of index: Int) throws(ArchiveError) -> Int {
        let place = offsetTable + index * offsetSize
        let offset = bytes.bigEndian(at: place, width: offsetSize)
        guard offset >= UInt64(FileFrame.headerLength), offset < UInt64(offsetTable) else {
            throw strayObject(index, offset, at: place)
        }
        return Int(offset)
    }

    // Errors are created in separate functions to keep the fast path short.

    @inline(never)
    private func strayReference(_ index: UInt64, at place: Int) -> ArchiveError {
        ArchiveError(.corruptObject, "reference to object \(index) of \(objectCount)", kind: "reference", offset: place)
    }

    @inline(never)
    private func strayObject(_ index: Int, _ offset: UInt64, at place: Int) -> ArchiveError {
        ArchiveError(
            .corruptObject, "object \(index) is at \(offset), outside the object area", kind: "offset", offset: place)
    }

    // MARK: - Bodies

    private func integer(_ marker: UInt8, _ offset: Int) throws(ArchiveError) -> Object {
        guard marker & 0x0F <= 4 else { throw unknownMarker(marker, offset) }
        let width = 1 << Int(marker & 0x0F)
        try require(width, after: offset, kind: "integer")
        guard width == 16 else {
            // One, two and four bytes are unsigned, eight are signed.
            let value = bytes.bigEndian(at: offset + 1, width: width)
            return .integer(Int64(bitPattern: value))
        }
        let high = bytes.bigEndian(at: offset + 1, width: 8)
        let low = bytes.bigEndian(at: offset + 9, width: 8)
        if high == 0 {
            return low <= UInt64(Int64.max) ? .integer(Int64(low)) : .unsigned(low)
        }
        guard high == .max, low > UInt64(Int64.max) else {
            throw ArchiveError(.corruptObject, "integer needs more than 64 bits", offset: offset)
        }
        return .integer(Int64(bitPattern: low))
    }

    private func floatingPoint(_ marker: UInt8, _ offset: Int) throws(ArchiveError) -> Object {
        switch marker {
        case ObjectMarker.float:
            try require(4, after: offset, kind: "real")
            return .float(Float(bitPattern: UInt32(bytes.bigEndian(at: offset + 1, width: 4))))
        case ObjectMarker.real:
            try require(8, after: offset, kind: "real")
            return .real(Double(bitPattern: bytes.bigEndian(at: offset + 1, width: 8)))
        default: throw unknownMarker(marker, offset)
        }
    }

    private func date(_ marker: UInt8, _ offset: Int) throws(ArchiveError) -> Object {
        guard marker == ObjectMarker.date else { throw unknownMarker(marker, offset) }
        try require(8, after: offset, kind: "date")
        let seconds = Double(bitPattern: bytes.bigEndian(at: offset + 1, width: 8))
        // Printing a date that is not finite traps on Linux, so none may be created.
        guard seconds.isFinite else {
            throw ArchiveError(.corruptObject, "date is not a finite number", offset: offset)
        }
        return .date(seconds)
    }

    private func uid(_ marker: UInt8, _ offset: Int) throws(ArchiveError) -> Object {
        let width = Int(marker & 0x0F) + 1
        guard width <= 8 else { throw unknownMarker(marker, offset) }
        try require(width, after: offset, kind: "UID")
        guard let value = UInt32(exactly: bytes.bigEndian(at: offset + 1, width: width)) else {
            throw ArchiveError(.corruptObject, "UID needs more than 32 bits", offset: offset)
        }
        return .uid(value)
    }

    private func references(at offset: Int, kind: String) throws(ArchiveError) -> References {
        let (start, count) = try countedBody(at: offset, unit: referenceSize, kind: kind)
        return References(start: start, count: count)
    }

    private func body(at offset: Int, unit: Int, kind: String) throws(ArchiveError) -> Range<Int> {
        let (start, count) = try countedBody(at: offset, unit: unit, kind: kind)
        return start..<(start + count * unit)
    }

    /// Returns the start and the count of an object's body, checked against the object area before memory is allocated
    /// for it.
    private func countedBody(at offset: Int, unit: Int, kind: String) throws(ArchiveError) -> (start: Int, count: Int) {
        var start = offset + 1
        var count = UInt64(bytes[offset] & 0x0F)
        if bytes[offset] & 0x0F == ObjectMarker.longCount {
            guard start < offsetTable, bytes[start] & 0xF0 == ObjectMarker.integer, bytes[start] & 0x0F <= 3 else {
                throw ArchiveError(.corruptObject, "\(kind) without a readable count", offset: offset)
            }
            let width = 1 << Int(bytes[start] & 0x0F)
            try require(width, after: start, kind: kind)
            count = bytes.bigEndian(at: start + 1, width: width)
            start += 1 + width
        }
        // The count is checked alone first, so that the product cannot overflow.
        let room = UInt64(max(offsetTable - start, 0))
        guard count <= room, count * UInt64(unit) <= room else {
            throw ArchiveError(
                .corruptObject, "\(kind) of \(count) elements does not fit into the file", offset: offset)
        }
        return (start, Int(count))
    }

    private func require(_ count: Int, after offset: Int, kind: String) throws(ArchiveError) {
        guard holds(count, after: offset) else {
            throw ArchiveError(.corruptObject, "\(kind) exceeds the object area", offset: offset)
        }
    }

    /// True if `count` bytes after the marker at an offset lie before the offset table.
    @inline(__always)
    func holds(_ count: Int, after offset: Int) -> Bool { count < offsetTable - offset }

    @inline(never)
    private func unknownMarker(_ marker: UInt8, _ offset: Int) -> ArchiveError {
        ArchiveError(.corruptObject, "unknown object marker 0x\(String(marker, radix: 16))", offset: offset)
    }

    /// CoreFoundation's rule: strictly more values than needed must fit, so 256 objects need two-byte references.
    private static func holds(_ value: UInt64, width: Int) -> Bool {
        width == 8 || value < 1 << UInt64(8 * width)
    }
}
