/// The bytes of an archive, valid as long as their owner lives.
///
/// Callers first check that a read lies within the file, and throw if it does not. If such a check is wrong, an
/// out-of-range read returns zero here and traps in a debug build; it never reads memory outside the archive.
struct InputBytes {
    private let base: UnsafeRawPointer
    let count: Int
    /// The offset of the last eight bytes.
    private let lastWord: UInt

    /// - Returns: Nil for fewer than eight bytes: no archive is that short.
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

    /// Returns an unsigned number of `width` bytes, 1 to 8.
    @inline(__always)
    func bigEndian(at place: Int, width: Int) -> UInt64 {
        assert((1...8).contains(width))
        // Nearly every number is followed by more bytes, so that one load reads any width.
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

    /// Returns sixteen bytes, the first ones lowest.
    @inline(__always)
    func window(at place: Int) -> (low: UInt64, high: UInt64) {
        guard holds(16, at: place) else { return (0, 0) }
        return (
            UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
            UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
        )
    }

    /// Returns the bytes of a range; empty if it exceeds the archive.
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
