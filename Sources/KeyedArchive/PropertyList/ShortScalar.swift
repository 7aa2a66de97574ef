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

    @inline(__always)
    func hash(by hasher: ByteHash) -> UInt64 { hasher.hash(low, high) }
}
