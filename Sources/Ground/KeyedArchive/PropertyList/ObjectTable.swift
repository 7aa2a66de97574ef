import Foundation

/// The objects of a binary property list that is being written.
///
/// Scalars are kept as the bytes that go into the file, in one piece; containers as runs of indices, because the width of a
/// reference is known only when all objects are. Equal scalars of one exact type have equal bytes and are written once.
///
/// In the file the first container, which is the root, stands first, then come the scalars, then the other containers. So all
/// scalars are written by one copy, and offsets ascend as in Apple's files.
struct ObjectTable: ~Copyable {
    /// Names an object: a scalar by its place among the scalars, another by its place among the containers and
    /// ``containerBit``.
    typealias Index = UInt32

    static let containerBit: Index = 1 << 31

    /// An object that is its bytes in `bytes`, marker included. They end where those of the next begin.
    struct Scalar: BitwiseCopyable {
        let start: UInt32
        /// The UID object that refers to it, if it is an object of an archive; else zero.
        var reference: Index = 0
    }

    /// An object that refers to others, or to a body that is not copied before the end.
    struct Container: BitwiseCopyable {
        enum Kind: UInt8, BitwiseCopyable {
            /// `count` elements from `start` on in `references`.
            case array
            case set
            /// `count` keys, then as many values, from `start` on in `references`.
            case dictionary
            /// `start` is a place in ``bodies``.
            case body
        }

        var kind = Kind.array
        var start: UInt32 = 0
        var count: UInt32 = 0
        /// See ``Scalar``.
        var reference: Index = 0
    }

    /// A text or data of this length or more, in bytes, is known again by its address and is copied once, into the file.
    private static let shortestBody = 1024

    // First capacities are such that malloc hands them out from what it keeps for a thread: below a kilobyte.
    let bytes = GrowingBuffer<UInt8>(capacity: 960)
    let scalars = GrowingBuffer<Scalar>(capacity: 120)
    let containers = GrowingBuffer<Container>(capacity: 60)
    let references = GrowingBuffer<Index>(capacity: 128)
    let bodies = BodyList()
    private let hasher = ByteHash()
    /// The places of the short scalars.
    private let knownShort = HashIndex(capacity: 64)
    /// Those of the other scalars.
    private let known = HashIndex(capacity: 32)
    /// The places of common texts; ``none`` for those that are not here.
    private let commonTexts = GrowingBuffer<Index>(repeating: none, count: CommonText.allCases.count)
    /// Numbers below this are found by themselves.
    private static let smallNumbers: Int64 = 128
    private let smallNumbers = GrowingBuffer<Index>(repeating: none, count: Int(smallNumbers))
    private static let none = Index.max

    var count: Int { scalars.count + containers.count }

    /// What the objects take in the file, at least.
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

    /// - Parameter seconds: since 2001-01-01 00:00:00 UTC.
    func add(dateWithSeconds seconds: Double) -> Index {
        add(ShortScalar(marker: ObjectMarker.date, bits: seconds.bitPattern, width: 8))
    }

    func add(uid: UInt32) -> Index { add(ShortScalar(uid: uid)) }

    /// Adds a UID that is not there yet.
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

    /// Data that is short: its bytes are copied.
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

    /// A text that every archive has, added at most once.
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

    /// Takes an index for a container that is not known yet.
    func reserve() -> Index { append(Container()) }

    func fill(_ index: Index, list elements: UnsafeBufferPointer<Index>, kind: Container.Kind = .array) {
        let start = references.count
        references.append(copying: elements)
        fill(index, listFrom: start, kind: kind)
    }

    /// - Parameter start: where the elements begin that were appended to `references`.
    @inline(__always)
    func fill(_ index: Index, listFrom start: Int, kind: Container.Kind = .array) {
        containers[Int(index & ~Self.containerBit)] = Container(
            kind: kind, start: UInt32(start), count: UInt32(references.count - start))
    }

    /// - Parameter pairs: each key followed by its value.
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

    /// Takes an index for a UID that is not known yet; until then it stands for nil.
    func reserveUID() -> Index {
        let index = beginScalar()
        bytes.append(ObjectMarker.uid | 3)
        bytes.append(bigEndian: 0, width: 4)
        return index
    }

    /// - Parameter other: a UID that is known.
    func fill(_ index: Index, uidOf other: Index) {
        let (start, source) = (Int(scalars[Int(index)].start), Int(scalars[Int(other)].start))
        let width = Int(bytes[source] & 0xF) + 1
        for place in 1...width { bytes[start + 4 - width + place] = bytes[source + place] }
    }

    /// The UID object that refers to a scalar or body; zero if there is none.
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

    /// Takes an index for a scalar whose bytes are appended next.
    @inline(__always)
    private func beginScalar() -> Index {
        scalars.append(Scalar(start: UInt32(bytes.count)))
        return Index(scalars.count - 1)
    }

    /// A short scalar: an older one if there is one.
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

    /// The scalar whose bytes are the last: an older one with the same bytes if there is one.
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

    /// - Parameter end: where the bytes of the last scalar end.
    private func contents(of scalar: Index, end: Int) -> UnsafeRawBufferPointer {
        let start = Int(scalars[Int(scalar)].start)
        let next = Int(scalar) + 1
        let end = next < scalars.count ? Int(scalars[next].start) : end
        return UnsafeRawBufferPointer(bytes.elements(start, end - start))
    }
}
