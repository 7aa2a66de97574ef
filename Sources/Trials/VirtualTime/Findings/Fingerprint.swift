/// A 128-bit fingerprint that distinguishes builds and detects damaged files. It does not withstand an attacker.
struct Fingerprint {
    // The primes of the FNV and of the splitmix64 hashes: odd, and far from each other.
    private static let (firstPrime, secondPrime): (UInt64, UInt64) = (0x100_0000_01B3, 0xBF58_476D_1CE4_E5B9)
    private var (first, second): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)

    init() {}

    /// Adds the bytes of one buffer. Adding two buffers differs from adding one that contains both.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        // By words, for speed: executables have many megabytes.
        let wordSize = MemoryLayout<UInt64>.size
        var offset = 0
        while offset + wordSize <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += wordSize
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        add(rest)
        add(UInt64(bytes.count))
    }

    private mutating func add(_ word: UInt64) {
        first = (first ^ word) &* Self.firstPrime
        // A multiplication carries nothing into lower bits.
        first ^= first >> 32
        second = (second ^ word) &* Self.secondPrime
        second ^= second >> 29
    }

    /// 32 hexadecimal digits.
    var text: String { Self.digits(first) + Self.digits(second) }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
