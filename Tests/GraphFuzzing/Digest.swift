/// A hash of texts that is the same in every process (FNV-1a), to compare the results of two processes.
struct Digest {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    var text: String { String(value, radix: 16) }
}
