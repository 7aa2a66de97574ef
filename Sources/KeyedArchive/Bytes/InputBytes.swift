/// The bytes of an archive as they came, valid as long as their owner lives.
///
/// Whoever reads checks first that what it wants lies within the file, and throws if not. Should such a check be wrong, reading
/// outside gives zero here and stops a debug build: never memory that is not the archive's.
struct InputBytes {
    private let base: UnsafeRawPointer
    let count: Int

    /// Nil for memory that has no address: that of nothing.
    init?(_ buffer: UnsafeRawBufferPointer) {
        guard let base = buffer.baseAddress else { return nil }
        self.base = base
        count = buffer.count
    }

    @inline(__always)
    subscript(place: Int) -> UInt8 {
        guard holds(1, at: place) else { return 0 }
        return base.load(fromByteOffset: place, as: UInt8.self)
    }

    /// An unsigned number of `width` bytes, 1 to 8.
    @inline(__always)
    func bigEndian(at place: Int, width: Int) -> UInt64 {
        guard holds(width, at: place) else { return 0 }
        switch width {
        case 1: return UInt64(base.load(fromByteOffset: place, as: UInt8.self))
        case 2: return UInt64(UInt16(bigEndian: base.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
        case 4: return UInt64(UInt32(bigEndian: base.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        case 8: return UInt64(bigEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        default:
            var value: UInt64 = 0
            for position in place..<(place + width) {
                value = value << 8 | UInt64(base.load(fromByteOffset: position, as: UInt8.self))
            }
            return value
        }
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
