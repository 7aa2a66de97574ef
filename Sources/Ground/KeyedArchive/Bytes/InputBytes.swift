/// The bytes of an archive as they came, valid as long as their owner lives.
///
/// Whoever reads checks first that what it wants lies within the file, and throws if not. Should such a check be wrong, reading
/// outside gives zero here and stops a debug build: never memory that is not the archive's.
struct InputBytes {
    private let base: UnsafeRawPointer
    let count: Int
    /// Where the last eight bytes begin.
    private let lastWord: UInt

    /// Nil for less than eight bytes: no archive is so short.
    init?(_ buffer: UnsafeRawBufferPointer) {
        guard let base = buffer.baseAddress, buffer.count >= 8 else { return nil }
        self.base = base
        count = buffer.count
        lastWord = UInt(buffer.count - 8)
    }

    @inline(__always)
    subscript(place: Int) -> UInt8 {
        guard holds(1, at: place) else { return 0 }
        return base.load(fromByteOffset: place, as: UInt8.self)
    }

    /// An unsigned number of `width` bytes, 1 to 8.
    @inline(__always)
    func bigEndian(at place: Int, width: Int) -> UInt64 {
        assert((1...8).contains(width))
        // Behind nearly every number there are more bytes: then one load does for any width.
        guard UInt(bitPattern: place) <= lastWord else { return bigEndianAtEnd(place, width: width) }
        let word = UInt64(bigEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        return word &>> UInt64(truncatingIfNeeded: 64 &- 8 &* width)
    }

    @inline(never)
    private func bigEndianAtEnd(_ place: Int, width: Int) -> UInt64 {
        guard holds(width, at: place) else { return 0 }
        var value: UInt64 = 0
        for position in place..<(place + width) {
            value = value << 8 | UInt64(base.load(fromByteOffset: position, as: UInt8.self))
        }
        return value
    }

    /// Sixteen bytes, the first ones lowest.
    @inline(__always)
    func window(at place: Int) -> (low: UInt64, high: UInt64) {
        guard holds(16, at: place) else { return (0, 0) }
        return (
            UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
            UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
        )
    }

    /// The bytes of a range; nothing if it leaves the archive.
    @inline(__always)
    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        guard holds(range.count, at: range.lowerBound) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    func isASCII(_ range: Range<Int>) -> Bool { bytes(range).isASCII }

    @inline(__always)
    private func holds(_ width: Int, at place: Int) -> Bool {
        let holds = place >= 0 && width >= 0 && width <= count - place
        assert(holds, "read of \(width) bytes at \(place) of \(count)")
        return holds
    }
}
