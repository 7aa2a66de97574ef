import Foundation

/// The objects of a binary property list that is being written.
///
/// Scalars are kept as the bytes that go into the file, containers as runs of indices, because the width of a reference
/// is known only when all objects are. Equal scalars of one exact type are written once.
struct ObjectTable {
    /// An object's place in the file's object table.
    typealias Index = UInt32

    private enum Entry {
        /// A range of `scalars`, marker included.
        case scalar(start: Int, end: Int)
        /// A range of `references`. `count` is that of elements, or of pairs.
        case container(marker: UInt8, count: Int, start: Int, end: Int)
    }

    private enum Number: Hashable {
        case boolean(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        case float(UInt32)
        case real(UInt64)
        case date(UInt64)
        case uid(UInt32)
    }

    private var entries: [Entry] = []
    private var scalars: [UInt8] = []
    private var references: [Index] = []
    private var strings: [String: Index] = [:]
    private var numbers: [Number: Index] = [:]

    var count: Int { entries.count }

    // MARK: - Scalars

    mutating func add(_ value: Bool) -> Index {
        unique(.boolean(value)) { $0.append(value ? ObjectMarker.yes : ObjectMarker.no) }
    }

    mutating func add(_ value: Int64) -> Index {
        unique(.integer(value)) { Self.append(value, to: &$0) }
    }

    mutating func add(_ value: UInt64) -> Index {
        guard let signed = Int64(exactly: value) else {
            return unique(.unsigned(value)) { bytes in
                bytes.append(ObjectMarker.integer | 4)
                Self.appendBigEndian(0, width: 8, to: &bytes)
                Self.appendBigEndian(value, width: 8, to: &bytes)
            }
        }
        return add(signed)
    }

    mutating func add(_ value: Float) -> Index {
        unique(.float(value.bitPattern)) { bytes in
            bytes.append(ObjectMarker.float)
            Self.appendBigEndian(UInt64(value.bitPattern), width: 4, to: &bytes)
        }
    }

    mutating func add(_ value: Double) -> Index {
        unique(.real(value.bitPattern)) { bytes in
            bytes.append(ObjectMarker.real)
            Self.appendBigEndian(value.bitPattern, width: 8, to: &bytes)
        }
    }

    /// - Parameter seconds: since 2001-01-01 00:00:00 UTC.
    mutating func add(dateWithSeconds seconds: Double) -> Index {
        unique(.date(seconds.bitPattern)) { bytes in
            bytes.append(ObjectMarker.date)
            Self.appendBigEndian(seconds.bitPattern, width: 8, to: &bytes)
        }
    }

    mutating func add(uid: UInt32) -> Index {
        unique(.uid(uid)) { bytes in
            // UIDs take 1, 2 or 4 bytes, as CoreFoundation writes them.
            let width = uid <= 0xFF ? 1 : uid <= 0xFFFF ? 2 : 4
            bytes.append(ObjectMarker.uid | UInt8(width - 1))
            Self.appendBigEndian(UInt64(uid), width: width, to: &bytes)
        }
    }

    mutating func add(_ string: String) -> Index {
        let start = scalars.count
        // Only ASCII is shared: Swift calls two spellings of “é” equal, and each must come back as it was.
        guard string.utf8.allSatisfy({ $0 < 0x80 }) else {
            Self.appendHeader(ObjectMarker.utf16String, count: string.utf16.count, to: &scalars)
            for unit in string.utf16 { Self.appendBigEndian(UInt64(unit), width: 2, to: &scalars) }
            return append(.scalar(start: start, end: scalars.count))
        }
        if let known = strings[string] { return known }
        Self.appendHeader(ObjectMarker.asciiString, count: string.utf8.count, to: &scalars)
        scalars.append(contentsOf: string.utf8)
        let index = append(.scalar(start: start, end: scalars.count))
        strings[string] = index
        return index
    }

    mutating func add(_ data: Data) -> Index {
        let start = scalars.count
        Self.appendHeader(ObjectMarker.data, count: data.count, to: &scalars)
        scalars.append(contentsOf: data)
        return append(.scalar(start: start, end: scalars.count))
    }

    // MARK: - Containers

    /// Takes an index for a container whose elements are not known yet.
    mutating func reserve() -> Index {
        append(.container(marker: ObjectMarker.array, count: 0, start: 0, end: 0))
    }

    mutating func fill(_ index: Index, array elements: some Collection<Index>, marker: UInt8 = ObjectMarker.array) {
        let start = references.count
        references.append(contentsOf: elements)
        entries[Int(index)] = .container(marker: marker, count: elements.count, start: start, end: references.count)
    }

    mutating func fill(_ index: Index, dictionary pairs: some Collection<(key: Index, value: Index)>) {
        let start = references.count
        references.append(contentsOf: pairs.lazy.map(\.key))
        references.append(contentsOf: pairs.lazy.map(\.value))
        entries[Int(index)] = .container(
            marker: ObjectMarker.dictionary, count: pairs.count, start: start, end: references.count)
    }

    // MARK: - The file

    /// The whole binary property list, with `top` as its top object.
    func encoded(top: Index) -> Data {
        let referenceSize = Self.width(for: UInt64(entries.count))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.count + references.count * referenceSize + entries.count * 4 + 64)
        bytes.append(contentsOf: Container.header)
        var offsets: [Int] = []
        offsets.reserveCapacity(entries.count)
        for entry in entries {
            offsets.append(bytes.count)
            switch entry {
            case .scalar(let start, let end): bytes.append(contentsOf: scalars[start..<end])
            case .container(let marker, let count, let start, let end):
                Self.appendHeader(marker, count: count, to: &bytes)
                for reference in references[start..<end] {
                    Self.appendBigEndian(UInt64(reference), width: referenceSize, to: &bytes)
                }
            }
        }
        let table = bytes.count
        let offsetSize = Self.width(for: UInt64(table))
        for offset in offsets { Self.appendBigEndian(UInt64(offset), width: offsetSize, to: &bytes) }
        bytes.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        Self.appendBigEndian(UInt64(entries.count), width: 8, to: &bytes)
        Self.appendBigEndian(UInt64(top), width: 8, to: &bytes)
        Self.appendBigEndian(UInt64(table), width: 8, to: &bytes)
        return Data(bytes)
    }

    // MARK: - Bytes

    private mutating func append(_ entry: Entry) -> Index {
        entries.append(entry)
        return Index(entries.count - 1)
    }

    private mutating func unique(_ number: Number, _ write: (inout [UInt8]) -> Void) -> Index {
        if let known = numbers[number] { return known }
        let start = scalars.count
        write(&scalars)
        let index = append(.scalar(start: start, end: scalars.count))
        numbers[number] = index
        return index
    }

    private static func append(_ value: Int64, to bytes: inout [UInt8]) {
        // One, two and four bytes are read as unsigned, so a negative number takes eight.
        let exponent: UInt8 =
            switch value {
            case 0...0xFF: 0
            case 0...0xFFFF: 1
            case 0...0xFFFF_FFFF: 2
            default: 3
            }
        bytes.append(ObjectMarker.integer | exponent)
        appendBigEndian(UInt64(bitPattern: value), width: 1 << Int(exponent), to: &bytes)
    }

    private static func appendHeader(_ marker: UInt8, count: Int, to bytes: inout [UInt8]) {
        if count < Int(ObjectMarker.longCount) {
            bytes.append(marker | UInt8(count))
        } else {
            bytes.append(marker | ObjectMarker.longCount)
            append(Int64(count), to: &bytes)
        }
    }

    private static func appendBigEndian(_ value: UInt64, width: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// The least of CoreFoundation's widths that holds strictly more than `value`.
    private static func width(for value: UInt64) -> Int {
        switch value {
        case 0..<0x100: 1
        case 0..<0x1_0000: 2
        case 0..<0x1_0000_0000: 4
        default: 8
        }
    }
}
