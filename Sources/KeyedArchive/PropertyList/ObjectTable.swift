import Foundation

/// The objects of a binary property list that is being written.
///
/// Scalars are kept as the bytes that go into the file, containers as runs of indices, because the width of a reference
/// is known only when all objects are. Equal scalars of one exact type have equal bytes and are written once.
struct ObjectTable: ~Copyable {
    /// An object's place in the file's object table.
    typealias Index = UInt32

    /// One object of the file.
    struct Entry: BitwiseCopyable {
        enum Kind: UInt8, BitwiseCopyable {
            /// `count` bytes of `scalars`, marker included.
            case scalar
            /// `start` is the UID.
            case uid
            /// `start` is a place in ``bodies``.
            case body
            /// `count` elements from `start` on in `references`.
            case array
            case set
            /// `count` keys, then as many values, from `start` on in `references`.
            case dictionary
        }

        var kind: Kind
        var start: UInt32
        var count: UInt32
        /// The UID of a scalar that is an object of an archive; zero for others.
        var uid: UInt32 = 0
    }

    /// A text or data of this length or more, in bytes, is known again by its address and is copied once, into the file.
    private static let shortestBody = 1024

    // First capacities are such that malloc hands them out from what it keeps for a thread: below a kilobyte.
    let entries = GrowingBuffer<Entry>(capacity: 60)
    let scalars = GrowingBuffer<UInt8>(capacity: 960)
    let references = GrowingBuffer<Index>(capacity: 128)
    let bodies = BodyList()
    private let hasher = ByteHash()
    /// The short scalars, and their places.
    private let shortScalars = GrowingBuffer<(ShortScalar, Index)>(capacity: 40)
    private let knownShort = HashIndex(capacity: 64)
    /// The places of the other scalars, by their bytes.
    private let known = HashIndex(capacity: 32)
    /// The UID objects, by UID; zero where there is none.
    private let identifiers = GrowingBuffer<Index>(capacity: 64)
    /// The places of common texts; zero for those that are not here.
    private let commonTexts = GrowingBuffer<Index>(repeating: 0, count: CommonText.allCases.count)
    /// Numbers below this are found by themselves.
    private static let smallNumbers: Int64 = 128
    private let smallNumbers = GrowingBuffer<Index>(repeating: 0, count: Int(smallNumbers))
    var count: Int { entries.count }

    /// What the objects take in the file, at least.
    var bytes: Int { scalars.count + bodies.bytes + references.count }

    // MARK: - Scalars

    func add(_ value: Bool) -> Index {
        let marker = value ? ObjectMarker.yes : ObjectMarker.no
        return unique(ShortScalar(marker: marker, bits: 0)) { scalars.append(marker) }
    }

    @inline(__always)
    func add(_ value: Int64) -> Index {
        guard (0..<Self.smallNumbers).contains(value) else { return addLarge(value) }
        let known = smallNumbers[Int(value)]
        guard known == 0 else { return known }
        let index = addLarge(value)
        smallNumbers[Int(value)] = index
        return index
    }

    private func addLarge(_ value: Int64) -> Index {
        unique(ShortScalar(marker: ObjectMarker.integer, bits: UInt64(bitPattern: value))) {
            scalars.append(integer: value)
        }
    }

    func add(_ value: UInt64) -> Index {
        if let signed = Int64(exactly: value) { return add(signed) }
        return unique(ShortScalar(marker: ObjectMarker.integer | 4, bits: value)) {
            scalars.append(ObjectMarker.integer | 4)
            scalars.append(bigEndian: 0, width: 8)
            scalars.append(bigEndian: value, width: 8)
        }
    }

    func add(_ value: Float) -> Index { add(ObjectMarker.float, UInt64(value.bitPattern), width: 4) }
    func add(_ value: Double) -> Index { add(ObjectMarker.real, value.bitPattern, width: 8) }

    /// - Parameter seconds: since 2001-01-01 00:00:00 UTC.
    func add(dateWithSeconds seconds: Double) -> Index { add(ObjectMarker.date, seconds.bitPattern, width: 8) }

    @inline(__always)
    private func add(_ marker: UInt8, _ bits: UInt64, width: Int) -> Index {
        unique(ShortScalar(marker: marker, bits: bits)) {
            scalars.append(marker)
            scalars.append(bigEndian: bits, width: width)
        }
    }

    @inline(__always)
    func add(uid: UInt32) -> Index {
        // No UID object is at place 0: that is the root's.
        if Int(uid) < identifiers.count, identifiers[Int(uid)] != 0 { return identifiers[Int(uid)] }
        return addNew(uid: uid)
    }

    private func addNew(uid: UInt32) -> Index {
        // An archive's UIDs have no gaps; those of a tree of values may be any.
        guard Int(uid) < identifiers.count + Self.widestGap else {
            return unique(ShortScalar(marker: ObjectMarker.uid, bits: UInt64(uid))) {
                scalars.append(ObjectMarker.uid | 3)
                scalars.append(bigEndian: UInt64(uid), width: 4)
            }
        }
        let missing = Int(uid) + 1 - identifiers.count
        if missing > 0 { identifiers.append(repeating: 0, count: missing) }
        let index = append(Entry(kind: .uid, start: uid, count: 0))
        identifiers[Int(uid)] = index
        return index
    }

    /// How far a UID may lie above those before it to be kept in a list by its number.
    private static let widestGap = 1024

    func add(_ string: String) -> Index {
        var string = string
        return string.withUTF8 { text in add(UnsafeRawBufferPointer(text)) }
    }

    /// - Parameter text: valid UTF-8.
    @inline(__always)
    private func add(_ text: UnsafeRawBufferPointer) -> Index {
        guard let short = ShortScalar(text: text) else { return addLong(text) }
        return unique(short) {
            scalars.append(marker: ObjectMarker.asciiString, count: text.count)
            scalars.append(bytes: text)
        }
    }

    private func addLong(_ text: UnsafeRawBufferPointer) -> Index {
        guard text.isASCII else {
            let start = scalars.count
            let string = String(decoding: text, as: UTF8.self)
            scalars.append(marker: ObjectMarker.utf16String, count: string.utf16.count)
            for unit in string.utf16 { scalars.append(bigEndian: UInt64(unit), width: 2) }
            return unique(from: start)
        }
        let start = scalars.count
        scalars.append(marker: ObjectMarker.asciiString, count: text.count)
        scalars.append(bytes: text)
        return unique(from: start)
    }

    /// Data that is short: its bytes are copied.
    func add(data: UnsafeRawBufferPointer) -> Index {
        let start = scalars.count
        scalars.append(marker: ObjectMarker.data, count: data.count)
        scalars.append(bytes: data)
        return unique(from: start)
    }

    func add(_ data: Data) -> Index {
        guard data.count >= Self.shortestBody else { return data.withUnsafeBytes { add(data: $0) } }
        if let known = bodies.index(of: data) { return known }
        let index = append(Entry(kind: .body, start: UInt32(bodies.count), count: 0))
        bodies.append(data, index: index)
        return index
    }

    /// A text that every archive has, added at most once.
    @inline(__always)
    func add(_ text: CommonText) -> Index {
        let known = commonTexts[Int(text.rawValue)]
        guard known == 0 else { return known }
        let index = add(text.text)
        commonTexts[Int(text.rawValue)] = index
        return index
    }

    // MARK: - Containers

    /// Takes an index for an object that is not known yet.
    func reserve() -> Index { append(Entry(kind: .array, start: 0, count: 0)) }

    func fill(_ index: Index, list elements: UnsafeBufferPointer<Index>, kind: Entry.Kind = .array) {
        entries[Int(index)] = Entry(kind: kind, start: UInt32(references.count), count: UInt32(elements.count))
        references.append(copying: elements)
    }

    /// - Parameter pairs: each key followed by its value.
    func fill(_ index: Index, pairs: UnsafeBufferPointer<Index>) {
        let count = pairs.count / 2
        entries[Int(index)] = Entry(kind: .dictionary, start: UInt32(references.count), count: UInt32(count))
        references.reserve(pairs.count)
        for position in 0..<count { references.append(pairs[2 * position]) }
        for position in 0..<count { references.append(pairs[2 * position + 1]) }
    }

    /// Takes an index for a reference to an object whose UID is not known yet.
    func reserveIdentifier() -> Index { append(Entry(kind: .uid, start: 0, count: 0)) }
    func fill(_ index: Index, uid: UInt32) { entries[Int(index)].start = uid }

    // MARK: - Bytes

    @inline(__always)
    private func append(_ entry: Entry) -> Index {
        entries.append(entry)
        return Index(entries.count - 1)
    }

    /// A short scalar: an older one if there is one, else what `write` adds to `scalars`.
    @inline(__always)
    private func unique(_ scalar: ShortScalar, write: () -> Void) -> Index {
        let hash = scalar.hash(by: hasher)
        if let older = knownShort.find(hash, isEqual: { shortScalars[Int($0)].0 == scalar }) {
            return shortScalars[Int(older)].1
        }
        let start = scalars.count
        write()
        let index = append(Entry(kind: .scalar, start: UInt32(start), count: UInt32(scalars.count - start)))
        knownShort.insert(UInt32(shortScalars.count), hash: hash) { shortScalars[Int($0)].0.hash(by: hasher) }
        shortScalars.append((scalar, index))
        return index
    }

    /// The object whose bytes are the last of `scalars`: an older one with the same bytes if there is one.
    private func unique(from start: Int) -> Index {
        let length = scalars.count - start
        let hash = hasher.hash(bytes(start, length))
        let older = known.find(hash) { index in
            let entry = entries[Int(index)]
            return bytes(Int(entry.start), Int(entry.count)).equals(bytes(start, length))
        }
        if let older {
            scalars.truncate(to: start)
            return older
        }
        let index = append(Entry(kind: .scalar, start: UInt32(start), count: UInt32(length)))
        known.insert(index, hash: hash) { older in
            let entry = entries[Int(older)]
            return hasher.hash(bytes(Int(entry.start), Int(entry.count)))
        }
        return index
    }

    @inline(__always)
    private func bytes(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(scalars.elements(start, count))
    }
}
