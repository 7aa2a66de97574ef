/// The bytes of a scalar of at most 16 bytes, marker included, as two words: what it is known again by.
struct ShortScalar: BitwiseCopyable, Equatable {
    /// Texts up to this length, in bytes, are short.
    static let longestText = 15

    private let low: UInt64
    /// The marker is the highest byte.
    private let high: UInt64

    /// A number, a date or a boolean.
    @inline(__always)
    init(marker: UInt8, bits: UInt64) {
        low = bits
        high = UInt64(marker) << 56
    }

    /// A text that a string holds in itself, as Swift does with up to 15 bytes: the first word has the first eight, the second
    /// the others, and in its highest byte four flags and the length.
    ///
    /// - Returns: nil for a string that holds its text elsewhere, and for one that is not ASCII.
    @inline(__always)
    init?(inPlace string: String) {
        #if _endian(little) && _pointerBitWidth(_64)
        let (low, high) = unsafeBitCast(string, to: (UInt64, UInt64).self)
        guard high >> 60 == Self.inPlaceASCII else { return nil }
        self.low = low
        self.high = high & 0x0FFF_FFFF_FFFF_FFFF | UInt64(ObjectMarker.asciiString) << 56
        #else
        return nil
        #endif
    }

    /// The flags of a string: needs no counting of references, is ASCII, holds its text in itself.
    private static let inPlaceASCII: UInt64 = 0b1110

    /// A text at the start of sixteen bytes.
    ///
    /// - Returns: nil for a text that is not ASCII.
    @inline(__always)
    init?(textOf count: Int, at window: (low: UInt64, high: UInt64)) {
        assert((0...Self.longestText).contains(count))
        let low = window.low & ~(UInt64.max << (8 * count))
        let high = window.high & ~(UInt64.max << max(8 * count - 64, 0))
        guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
        self.low = low
        self.high = high | UInt64(ObjectMarker.asciiString | UInt8(truncatingIfNeeded: count)) << 56
    }

    /// - Returns: nil for a text that is too long, or not ASCII.
    @inline(__always)
    init?(text: UnsafeRawBufferPointer) {
        let count = text.count
        guard count <= Self.longestText else { return nil }
        var (low, high): (UInt64, UInt64) = (0, 0)
        if count >= 8 {
            low = text.loadUnaligned(as: UInt64.self)
            // The last eight bytes, without those that are in `low`.
            let last = text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            if count > 8 { high = last >> UInt64(8 * (16 - count)) }
        } else if count >= 4 {
            let first = UInt64(text.loadUnaligned(as: UInt32.self))
            let last = UInt64(text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
            low = first | last << UInt64(8 * (count - 4))
        } else {
            for place in 0..<count { low |= UInt64(text[place]) << UInt64(8 * place) }
        }
        guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
        self.low = low
        self.high = high | UInt64(ObjectMarker.asciiString | UInt8(count)) << 56
    }

    /// The length of a text, in bytes.
    @inline(__always)
    var textLength: Int { Int(high >> 56 & 0xF) }

    /// Stores sixteen bytes, of which the first are the text.
    @inline(__always)
    func store(textAt target: UnsafeMutableRawPointer) {
        target.storeBytes(of: low.littleEndian, as: UInt64.self)
        target.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
    }

    @inline(__always)
    func hash(by hasher: ByteHash) -> UInt64 { hasher.hash(low, high) }
}
