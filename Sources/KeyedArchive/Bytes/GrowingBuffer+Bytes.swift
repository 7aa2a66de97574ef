extension GrowingBuffer<UInt8> {
    @inline(__always)
    func append(bigEndian value: UInt64, width: Int) {
        // The wanted bytes first, in the order of the file.
        var bytes = (value << UInt64(64 - 8 * width)).bigEndian
        withUnsafeBytes(of: &bytes) { append(bytes: UnsafeRawBufferPointer(rebasing: $0[..<width])) }
    }

    @inline(__always)
    func append(bytes: UnsafeRawBufferPointer) {
        append(copying: bytes.assumingMemoryBound(to: UInt8.self))
    }

    /// An integer object: marker and value in the least width that reads back as the same number.
    func append(integer value: Int64) {
        // One, two and four bytes are read as unsigned, so a negative number takes eight.
        let exponent: UInt8 =
            switch value {
            case 0...0xFF: 0
            case 0...0xFFFF: 1
            case 0...0xFFFF_FFFF: 2
            default: 3
            }
        append(ObjectMarker.integer | exponent)
        append(bigEndian: UInt64(bitPattern: value), width: 1 << Int(exponent))
    }

    /// The start of an object that has a count.
    func append(marker: UInt8, count: Int) {
        if count < Int(ObjectMarker.longCount) {
            append(marker | UInt8(count))
        } else {
            append(marker | ObjectMarker.longCount)
            append(integer: Int64(count))
        }
    }
}
