/// A fast hash of bytes for tables that live as long as one archive.
///
/// The seed differs per process, so that a sender cannot choose colliding texts. The output of an archive never depends
/// on hash values.
/// Mixing by full-width products is the idea of wyhash (Wang Yi, public domain).
struct ByteHash: BitwiseCopyable {
    private static let processSeed = UInt64.random(in: 0 ... .max) | 1

    // A copy per table: access to a global takes a lock each time.
    private let seed: UInt64

    init() { seed = Self.processSeed }

    private static let first: UInt64 = 0xA076_1D64_78BD_642F
    private static let second: UInt64 = 0xE703_7ED1_A0B4_28DB

    func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        var state = seed ^ Self.mix(UInt64(truncatingIfNeeded: count), Self.first)
        if count < 8 {
            var word: UInt64 = 0
            for byte in bytes { word = word << 8 | UInt64(byte) }
            return Self.mix(state ^ word, Self.second ^ seed)
        }
        var place = 0
        while place + 16 <= count {
            let low = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let high = bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
            state = Self.mix(low ^ state, high ^ Self.second)
            place += 16
        }
        if place + 8 < count {
            state = Self.mix(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ state, Self.first)
        }
        // The last eight bytes, some of which may already be hashed.
        let last = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        return Self.mix(state ^ last, Self.second ^ seed)
    }

    @inline(__always)
    func hash(_ low: UInt64, _ high: UInt64) -> UInt64 { Self.mix(low ^ seed, high ^ Self.second) }

    @inline(__always)
    func hash(_ word: UInt) -> UInt64 { Self.mix(UInt64(word) ^ seed, Self.second) }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low
    }
}
