extension GrowingBuffer<UInt8> {
    /// - Parameter width: 1 to 8.
    @inline(__always)
    func append(bigEndian value: UInt64, width: Int) {
        // The wanted bytes first, in the order of the file; a whole word is stored, whose end the next bytes overwrite.
        reserve(8)
        append(count: width) { room in
            UnsafeMutableRawPointer(room).storeBytes(
                of: (value << UInt64(64 - 8 * width)).bigEndian, as: UInt64.self)
        }
    }

    /// A UID object: marker and number in 1, 2 or 4 bytes, as CoreFoundation writes them.
    @inline(__always)
    func append(uid: UInt32) {
        let width = uid <= 0xFF ? 1 : uid <= 0xFFFF ? 2 : 4
        let marker = UInt64(ObjectMarker.uid | UInt8(width - 1)) << UInt64(8 * width)
        append(bigEndian: marker | UInt64(uid), width: 1 + width)
    }

    /// A text object of at most 15 bytes.
    @inline(__always)
    func append(text: ShortScalar) {
        let count = text.textLength
        append(marker: ObjectMarker.asciiString, count: count)
        // Two whole words are stored, as above.
        reserve(16)
        append(count: count) { room in text.store(textAt: UnsafeMutableRawPointer(room)) }
    }

    @inline(__always)
    func append(bytes: UnsafeRawBufferPointer) {
        append(copying: bytes.assumingMemoryBound(to: UInt8.self))
    }

    /// An integer object: marker and value in the least width that reads back as the same number.
    @inline(__always)
    func append(integer value: Int64) {
        // One, two and four bytes are read as unsigned, so a negative number takes eight.
        let bits = UInt64(bitPattern: value)
        if bits <= 0xFF { return append(bigEndian: UInt64(ObjectMarker.integer) << 8 | bits, width: 2) }
        if bits <= 0xFFFF { return append(bigEndian: UInt64(ObjectMarker.integer | 1) << 16 | bits, width: 3) }
        if bits <= 0xFFFF_FFFF { return append(bigEndian: UInt64(ObjectMarker.integer | 2) << 32 | bits, width: 5) }
        append(ObjectMarker.integer | 3)
        append(bigEndian: bits, width: 8)
    }

    /// The start of an object that has a count.
    @inline(__always)
    func append(marker: UInt8, count: Int) {
        if count < Int(ObjectMarker.longCount) {
            append(marker | UInt8(count))
        } else {
            append(marker | ObjectMarker.longCount)
            append(integer: Int64(count))
        }
    }
}
