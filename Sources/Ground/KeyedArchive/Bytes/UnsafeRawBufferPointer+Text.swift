import Foundation

extension UnsafeRawBufferPointer {
    /// True if no byte has its high bit set. Checks eight bytes at a time, as most of an archive is text.
    var isASCII: Bool {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var place = 0
        while place + 8 <= count {
            guard loadUnaligned(fromByteOffset: place, as: UInt64.self) & highBits == 0 else { return false }
            place += 8
        }
        while place < count {
            guard self[place] < 0x80 else { return false }
            place += 1
        }
        return true
    }

    /// Compares two buffers byte by byte.
    @inline(__always)
    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard count > 0, let mine = baseAddress, let others = other.baseAddress else { return true }
        return memcmp(mine, others, count) == 0
    }
}
