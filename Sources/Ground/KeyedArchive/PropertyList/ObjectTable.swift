import Foundation

/// The objects of a binary property list that is being written.
///
/// Scalars are stored as the bytes of the file, contiguously; containers as runs of indices, because the width of a
/// reference depends on the number of all objects. Equal scalars of one exact type have equal bytes and are written
/// once.
///
/// In the file the first container, which is the root, comes first, then the scalars, then the other containers. So one
/// copy writes all scalars, and offsets ascend as in Apple's files.
struct ObjectTable: ~Copyable {
    /// The index of an object: its position among the scalars, or its position among the containers plus
    /// ``containerBit``.
    typealias Index = UInt32

    static let containerBit: Index = 1 << 31

    /// An object stored in `bytes`, marker included. It ends where the next one begins.
    struct Scalar: BitwiseCopyable {
        let start: UInt32
        /// The UID object that refers to it, if it is an object of an archive; otherwise zero.
        var reference: Index = 0
    }

    /// An object that refers to others, or to a body that is copied only at the end.
    struct Container: BitwiseCopyable {
        enum Kind: UInt8, BitwiseCopyable {
            /// `count` elements in `references`, from `start` on.
            case array
            case set
            /// `count` keys in `references`, from `start` on, then as many values.
            case dictionary
            /// A body; `start` is its position in ``bodies``.
            case body
        }

        var kind = Kind.array
        var start: UInt32 = 0
        var count: UInt32 = 0
        /// See ``Scalar``.
        var reference: Index = 0
    }

    /// The minimum length of a body, in bytes: longer data is recognized by its address and copied once, into the file.
    private static let shortestBody = 1024

    // The first capacities are below a kilobyte, which malloc serves from its per-thread cache.
    let bytes = GrowingBuffer<UInt8>(capacity: 960)
    let scalars = GrowingBuffer<Scalar>(capacity: 120)
    let containers = GrowingBuffer<Container>(capacity: 60)
    let references = GrowingBuffer<Index>(capacity: 128)
    let bodies = BodyList()
    private let hasher = ByteHash()
    /// The indices of the short scalars.
    private let knownShort = HashIndex(capacity: 64)
    /// The indices of the other scalars.
    private let known = HashIndex(capacity: 32)
    /// The indices of common texts; ``none`` for those not added yet.
    private let commonTexts = GrowingBuffer<Index>(repeating: none, count: CommonText.allCases.count)
    /// The limit of the numbers that have an array of their own indices.
    private static let smallNumbers: Int64 = 128
    private let smallNumbers = GrowingBuffer<Index>(repeating: none, count: Int(smallNumbers))
    private static let none = Index.max

    var count: Int { scalars.count + containers.count }

    /// The minimum size of the objects in the file, in bytes.
    @inline(__always)
    var size: Int { bytes.count + bodies.bytes + references.count }

    func removeAll() {
        bytes.truncate(to: 0)
        scalars.truncate(to: 0)
        containers.truncate(to: 0)
        references.truncate(to: 0)
        bodies.removeAll()
        knownShort.removeAll()
        known.removeAll()
        commonTexts.fill(with: Self.none)
        smallNumbers.fill(with: Self.none)
    }

    // MARK: - Scalars

    func add(_ value: Bool) -> Index { add(ShortScalar(marker: value ? ObjectMarker.yes : ObjectMarker.no)) }

    @inline(__always)
    func add(_ value: Int64) -> Index {
        guard (0..<Self.smallNumbers).contains(value) else { return addLarge(value) }
        let known = smallNumbers[Int(value)]
        guard known == Self.none else { return known }
        let index = addLarge(value)
        smallNumbers[Int(value)] = index
        return index
    }

    private func addLarge(_ value: Int64) -> Index { unique(ShortScalar(integer: value)) }

    func add(_ value: UInt64) -> Index {
        if let signed = Int64(exactly: value) { return add(signed) }
        let start = bytes.count
        bytes.append(ObjectMarker.integer | 4)
        bytes.append(bigEndian: 0, width: 8)
        bytes.append(bigEndian: value, width: 8)
        return unique(from: start)
    }

    func add(_ value: Float) -> Index {
        add(ShortScalar(marker: ObjectMarker.float, bits: UInt64(value.bitPattern), width: 4))
    }

    func add(_ value: Double) -> Index { add(ShortScalar(marker: ObjectMarker.real, bits: value.bitPattern, width: 8)) }

    /// - Parameter seconds: The time since 2001-01-01 00:00:00 UTC.
    func add(dateWithSeconds seconds: Double) -> Index {
        add(ShortScalar(marker: ObjectMarker.date, bits: seconds.bitPattern, width: 8))
    }

    func add(uid: UInt32) -> Index { add(ShortScalar(uid: uid)) }

    /// Adds a new UID.
    @inline(__always)
    func append(uid: UInt32) -> Index {
        let index = beginScalar()
        bytes.append(ShortScalar(uid: uid))
        return index
    }

    @inline(__always)
    func add(_ string: String) -> Index {
        if let short = ShortScalar(inPlace: string) { return add(short) }
        return addElsewhere(string)
    }

    private func addElsewhere(_ string: String) -> Index {
        var string = string
        return string.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            if let short = ShortScalar(text: text) { return add(short) }
            let start = bytes.count
            if text.isASCII {
                bytes.append(marker: ObjectMarker.asciiString, count: text.count)
                bytes.append(bytes: text)
            } else {
                let string = String(decoding: text, as: UTF8.self)
                bytes.append(marker: ObjectMarker.utf16String, count: string.utf16.count)
                for unit in string.utf16 { bytes.append(bigEndian: UInt64(unit), width: 2) }
            }
            return unique(from: start)
        }
    }

    private func add(_ scalar: ShortScalar) -> Index { unique(scalar) }

    /// Adds short data by copying its bytes.
    func add(data: UnsafeRawBufferPointer) -> Index {
        let start = bytes.count
        bytes.append(marker: ObjectMarker.data, count: data.count)
        bytes.append(bytes: data)
        return unique(from: start)
    }

    func add(_ data: Data) -> Index {
        guard data.count >= Self.shortestBody else { return data.withUnsafeBytes { add(data: $0) } }
        if let known = bodies.index(of: data) { return known }
        let index = append(Container(kind: .body, start: UInt32(bodies.count)))
        bodies.append(data, index: index)
        return index
    }

    /// Adds a common text, at most once.
    @inline(__always)
    func add(_ text: CommonText) -> Index {
        let known = commonTexts[Int(text.rawValue)]
        return known != Self.none ? known : addFirst(text)
    }

    @inline(never)
    private func addFirst(_ text: CommonText) -> Index {
        let index = add(text.text)
        commonTexts[Int(text.rawValue)] = index
        return index
    }

    // MARK: - Containers

    /// Reserves an index for a container whose contents are not known yet.
    func reserve() -> Index { append(Container()) }

    func fill(_ index: Index, list elements: UnsafeBufferPointer<Index>, kind: Container.Kind = .array) {
        let start = references.count
        references.append(copying: elements)
        fill(index, listFrom: start, kind: kind)
    }

    /// - Parameter start: The position of the first element in `references`.
    @inline(__always)
    func fill(_ index: Index, listFrom start: Int, kind: Container.Kind = .array) {
        containers[Int(index & ~Self.containerBit)] = Container(
            kind: kind, start: UInt32(start), count: UInt32(references.count - start))
    }

    /// - Parameter pairs: The keys, each followed by its value.
    func fill(_ index: Index, pairs: UnsafeBufferPointer<Index>) {
        let count = pairs.count / 2
        containers[Int(index & ~Self.containerBit)] = Container(
            kind: .dictionary, start: UInt32(references.count), count: UInt32(count))
        references.append(count: 2 * count) { room in
            for position in 0..<count {
                room[position] = pairs[2 * position]
                room[count + position] = pairs[2 * position + 1]
            }
        }
    }

    // MARK: - Objects of an archive

    /// Reserves an index for a UID that is not known yet; until then it refers to nil.
    func reserveUID() -> Index {
        let index = beginScalar()
        bytes.append(ObjectMarker.uid | 3)
        bytes.append(bigEndian: 0, width: 4)
        return index
    }

    /// - Parameter other: A known UID.
    func fill(_ index: Index, uidOf other: Index) {
        let (start, source) = (Int(scalars[Int(index)].start), Int(scalars[Int(other)].start))
        let width = Int(bytes[source] & 0xF) + 1
        for place in 1...width { bytes[start + 4 - width + place] = bytes[source + place] }
    }

    /// Returns the UID object that refers to a scalar or body; zero if none does.
    @inline(__always)
    func reference(to index: Index) -> Index {
        index < Self.containerBit
            ? scalars[Int(index)].reference : containers[Int(index & ~Self.containerBit)].reference
    }

    @inline(__always)
    func set(reference: Index, to index: Index) {
        if index < Self.containerBit {
            scalars[Int(index)].reference = reference
        } else {
            containers[Int(index & ~Self.containerBit)].reference = reference
        }
    }

    // MARK: - Bytes

    @inline(__always)
    private func append(_ container: Container) -> Index {
        containers.append(container)
        return Index(containers.count - 1) | Self.containerBit
    }

    /// Reserves an index for a scalar whose bytes are appended next.
    @inline(__always)
    private func beginScalar() -> Index {
        scalars.append(Scalar(start: UInt32(bytes.count)))
        return Index(scalars.count - 1)
    }

    /// Returns the index of an equal short scalar, or adds this one.
    @inline(__always)
    private func unique(_ scalar: ShortScalar) -> Index {
        let hash = scalar.hash(by: hasher)
        var slot = 0
        let older = knownShort.find(hash, slot: &slot) { index in
            scalar.starts(bytes.window(at: Int(scalars[Int(index)].start)))
        }
        if let older { return older }
        let index = beginScalar()
        bytes.append(scalar)
        knownShort.insert(index, hash: hash, slot: slot)
        return index
    }

    /// Returns the index of the scalar whose bytes were appended last, or of an equal older one.
    private func unique(from start: Int) -> Index {
        let scalar = UnsafeRawBufferPointer(bytes.elements(from: start))
        let hash = hasher.hash(scalar)
        var slot = 0
        if let older = known.find(hash, slot: &slot, isEqual: { contents(of: $0, end: start).equals(scalar) }) {
            bytes.truncate(to: start)
            return older
        }
        scalars.append(Scalar(start: UInt32(start)))
        let index = Index(scalars.count - 1)
        known.insert(index, hash: hash, slot: slot)
        return index
    }

    /// - Parameter end: The end of the last scalar's bytes.
    private func contents(of scalar: Index, end: Int) -> UnsafeRawBufferPointer {
        let start = Int(scalars[Int(scalar)].start)
        let next = Int(scalar) + 1
        let end = next < scalars.count ? Int(scalars[next].start) : end
        return UnsafeRawBufferPointer(bytes.elements(start, end - start))
    }
}
