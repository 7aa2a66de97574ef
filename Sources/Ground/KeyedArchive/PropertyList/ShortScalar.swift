/// The bytes of an object of at most 16 bytes, marker included, as in a file: two words, the first byte lowest, zeros
/// after the last one. This allows comparing and copying it in one step.
struct ShortScalar: BitwiseCopyable {
    /// The maximum length of a short text, in bytes: from 15 on, a separate length follows the marker.
    static let longestText = 14

    let low: UInt64
    let high: UInt64
    /// The length in bytes.
    let length: Int

    /// Creates a number or a date of `width` bytes, or an object that consists of its marker.
    @inline(__always)
    init(marker: UInt8, bits: UInt64 = 0, width: Int = 0) {
        // The smart shift yields zero for a width of zero.
        let body = (bits << (64 - 8 * width)).byteSwapped
        low = UInt64(marker) | body << 8
        high = body >> 56
        length = 1 + width
    }

    /// Creates an integer of the smallest width that preserves it: one, two and four bytes are read as unsigned, so a
    /// negative number takes eight.
    @inline(__always)
    init(integer: Int64) {
        let bits = UInt64(bitPattern: integer)
        let exponent = bits <= 0xFF ? 0 : bits <= 0xFFFF ? 1 : bits <= 0xFFFF_FFFF ? 2 : 3
        self.init(marker: ObjectMarker.integer | UInt8(truncatingIfNeeded: exponent), bits: bits, width: 1 << exponent)
    }

    /// Creates a UID of 1, 2 or 4 bytes, as CoreFoundation writes them.
    @inline(__always)
    init(uid: UInt32) {
        let width = uid <= 0xFF ? 1 : uid <= 0xFFFF ? 2 : 4
        self.init(marker: ObjectMarker.uid | UInt8(truncatingIfNeeded: width - 1), bits: UInt64(uid), width: width)
    }

    /// Creates a text from a string with inline storage, which Swift uses for up to 15 bytes: the first word has the
    /// first eight bytes, the second the others, and its highest byte four flags and the length.
    ///
    /// - Returns: Nil for a string with heap storage, for one that is too long and for one that is not ASCII.
    @inline(__always)
    init?(inPlace string: String) {
        #if _endian(little) && _pointerBitWidth(_64)
            let (first, second) = unsafeBitCast(string, to: (UInt64, UInt64).self)
            let count = Int(truncatingIfNeeded: second >> 56 & 0xF)
            guard second >> 60 == Self.inPlaceASCII, count <= Self.longestText else { return nil }
            self.init(first, second & 0x00FF_FFFF_FFFF_FFFF, count: count)
        #else
            return nil
        #endif
    }

    /// The flags of an inline ASCII string, which needs no reference counting.
    private static let inPlaceASCII: UInt64 = 0b1110

    /// Creates a text from its bytes.
    ///
    /// - Returns: Nil for a text that is too long, or not ASCII.
    init?(text: UnsafeRawBufferPointer) {
        guard text.count <= Self.longestText, text.isASCII else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: text) }
        self.init(words.0.littleEndian, words.1.littleEndian, count: text.count)
    }

    @inline(__always)
    private init(_ first: UInt64, _ second: UInt64, count: Int) {
        low = UInt64(ObjectMarker.asciiString | UInt8(truncatingIfNeeded: count)) | first << 8
        high = first >> 56 | second << 8
        length = 1 + count
    }

    /// Creates the short text at the start of sixteen bytes of a file.
    ///
    /// - Returns: Nil if no short text starts there, or one that is not ASCII.
    @inline(__always)
    init?(textAt window: (low: UInt64, high: UInt64)) {
        let marker = UInt8(truncatingIfNeeded: window.low)
        guard Self.isShortText(marker) else { return nil }
        length = 1 + Int(marker & 0x0F)
        let mask = Self.mask(length)
        low = window.low & mask.low
        high = window.high & mask.high
        // The marker has no high bit either.
        guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
    }

    @inline(__always)
    static func isShortText(_ marker: UInt8) -> Bool { marker &- ObjectMarker.asciiString <= longestText }

    /// True if sixteen bytes start with this object.
    @inline(__always)
    func starts(_ window: (low: UInt64, high: UInt64)) -> Bool {
        let mask = Self.mask(length)
        return window.low & mask.low == low && window.high & mask.high == high
    }

    /// - Parameter length: The number of bytes, 1 to 16.
    @inline(__always)
    private static func mask(_ length: Int) -> (low: UInt64, high: UInt64) {
        // Smart shifts by 64 and more yield zero.
        (~(UInt64.max << (8 * length)), ~(UInt64.max << max(8 * length - 64, 0)))
    }

    @inline(__always)
    func hash(by hasher: ByteHash) -> UInt64 { hasher.hash(low, high) }
}

extension ShortScalar: Equatable {
    @inline(__always)
    static func == (left: ShortScalar, right: ShortScalar) -> Bool { left.low == right.low && left.high == right.high }
}
