extension GrowingBuffer<UInt8> {
    /// Appends the lowest bytes of a number.
    ///
    /// - Parameter width: The number of bytes, 1 to 8.
    @inline(__always)
    func append(bigEndian value: UInt64, width: Int) {
        // The wanted bytes come first, in file order. A whole word is stored; the next bytes overwrite its end.
        reserve(8)
        append(count: width) { room in
            UnsafeMutableRawPointer(room).storeBytes(
                of: (value << UInt64(64 - 8 * width)).bigEndian, as: UInt64.self)
        }
    }

    @inline(__always)
    func append(_ scalar: ShortScalar) {
        // Two whole words are stored, as above.
        reserve(16)
        append(count: scalar.length) { room in
            let room = UnsafeMutableRawPointer(room)
            room.storeBytes(of: scalar.low.littleEndian, as: UInt64.self)
            room.storeBytes(of: scalar.high.littleEndian, toByteOffset: 8, as: UInt64.self)
        }
    }

    /// Returns sixteen bytes from the position of an appended ``ShortScalar``; bytes after its end are undefined.
    @inline(__always)
    func window(at place: Int) -> (low: UInt64, high: UInt64) {
        let start = UnsafeRawPointer(elements(from: place).baseAddress)
        guard let start else { return (0, 0) }
        return (
            UInt64(littleEndian: start.loadUnaligned(as: UInt64.self)),
            UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    @inline(__always)
    func append(bytes: UnsafeRawBufferPointer) {
        append(copying: bytes.assumingMemoryBound(to: UInt8.self))
    }

    /// Appends the marker and the count of an object.
    @inline(__always)
    func append(marker: UInt8, count: Int) {
        if count < Int(ObjectMarker.longCount) {
            append(marker | UInt8(count))
        } else {
            append(marker | ObjectMarker.longCount)
            append(ShortScalar(integer: Int64(count)))
        }
    }
}
