import CDigest
package import Foundation

/// SHA-256 (FIPS 180-4): a digest of content that is the same on all machines and in all languages.
///
/// Linux has no library for it that every Swift program can rely on.
package enum ContentDigest {
    /// The number of bytes of a digest.
    package static let bytes = 32
    private static let blockBytes = 64

    /// Returns the digest of some bytes.
    package static func of(_ data: Data) -> Data { digest(of: data, compress: compress) }

    private typealias Compression = (
        UnsafeRawBufferPointer, inout SIMD8<UInt32>, UnsafeMutableBufferPointer<UInt32>, UnsafeBufferPointer<UInt32>
    ) -> Void

    /// Returns the same digest without the processor's instructions for it, which not every processor has.
    static func portable(_ data: Data) -> Data { digest(of: data, compress: compressPortably) }

    private static func digest(of data: Data, compress: Compression) -> Data {
        var state = initialState
        constants.withUnsafeBufferPointer { constants in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: constants.count) { schedule in
                data.withUnsafeBytes { bytes in
                    compress(bytes, &state, schedule, constants)
                    withUnsafeTemporaryAllocation(byteCount: 2 * blockBytes, alignment: 8) { tail in
                        compress(padding(behind: bytes, in: tail), &state, schedule, constants)
                    }
                }
            }
        }
        for place in 0..<state.scalarCount { state[place] = state[place].bigEndian }
        return withUnsafeBytes(of: state) { Data($0) }
    }

    /// Writes the rest after the last full block, a one bit, zeros, and the length in bits: one or two blocks.
    private static func padding(
        behind bytes: UnsafeRawBufferPointer, in tail: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        let rest = UnsafeRawBufferPointer(rebasing: bytes.suffix(bytes.count % blockBytes))
        let lengthBytes = MemoryLayout<UInt64>.size
        let count = rest.count + 1 + lengthBytes <= blockBytes ? blockBytes : 2 * blockBytes
        tail.copyMemory(from: rest)
        tail[rest.count] = 0x80
        for place in rest.count + 1..<count - lengthBytes { tail[place] = 0 }
        tail.storeBytes(of: (UInt64(bytes.count) &* 8).bigEndian, toByteOffset: count - lengthBytes, as: UInt64.self)
        return UnsafeRawBufferPointer(rebasing: tail[..<count])
    }

    /// Compresses the full blocks of some bytes, with the processor's instructions if it has them.
    private static func compress(
        _ bytes: UnsafeRawBufferPointer, _ state: inout SIMD8<UInt32>, _ schedule: UnsafeMutableBufferPointer<UInt32>,
        _ constants: UnsafeBufferPointer<UInt32>
    ) {
        let isDone = withUnsafeMutablePointer(to: &state) { state in
            state.withMemoryRebound(to: UInt32.self, capacity: SIMD8<UInt32>.scalarCount) { words in
                watchlink_sha256_compress(words, constants.baseAddress, bytes.baseAddress, bytes.count / blockBytes)
            }
        }
        if !isDone { compressPortably(bytes, &state, schedule, constants) }
    }

    private static func compressPortably(
        _ bytes: UnsafeRawBufferPointer, _ state: inout SIMD8<UInt32>, _ schedule: UnsafeMutableBufferPointer<UInt32>,
        _ constants: UnsafeBufferPointer<UInt32>
    ) {
        for start in stride(from: 0, through: bytes.count - blockBytes, by: blockBytes) {
            prepare(schedule, UnsafeRawBufferPointer(rebasing: bytes[start..<(start + blockBytes)]))
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            // Eight rounds at once, so that no word moves: each round has other names for them.
            for index in stride(from: 0, to: constants.count, by: 8) {
                round(a, b, c, &d, e, f, g, &h, schedule[index] &+ constants[index])
                round(h, a, b, &c, d, e, f, &g, schedule[index + 1] &+ constants[index + 1])
                round(g, h, a, &b, c, d, e, &f, schedule[index + 2] &+ constants[index + 2])
                round(f, g, h, &a, b, c, d, &e, schedule[index + 3] &+ constants[index + 3])
                round(e, f, g, &h, a, b, c, &d, schedule[index + 4] &+ constants[index + 4])
                round(d, e, f, &g, h, a, b, &c, schedule[index + 5] &+ constants[index + 5])
                round(c, d, e, &f, g, h, a, &b, schedule[index + 6] &+ constants[index + 6])
                round(b, c, d, &e, f, g, h, &a, schedule[index + 7] &+ constants[index + 7])
            }
            state &+= SIMD8(a, b, c, d, e, f, g, h)
        }
    }

    private static func prepare(_ schedule: UnsafeMutableBufferPointer<UInt32>, _ block: UnsafeRawBufferPointer) {
        for index in 0..<16 {
            schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
        }
        for index in 16..<schedule.count {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let first = rotated(early, 7) ^ rotated(early, 18) ^ (early &>> 3)
            let second = rotated(late, 17) ^ rotated(late, 19) ^ (late &>> 10)
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
    }

    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ word: UInt32
    ) {
        let first = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        let one = h &+ first &+ (g ^ (e & (f ^ g))) &+ word
        let second = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        d = d &+ one
        h = one &+ second &+ ((a & b) | (c & (a | b)))
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &>> count | word &<< (32 &- count)
    }

    /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
    private static let initialState = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
    )

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension Data {
    /// The bytes in hexadecimal digits, as a digest is written.
    package var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }

    /// Creates bytes from hexadecimal digits; nil for other text.
    package init?(hexadecimal text: String) {
        guard text.utf8.count.isMultiple(of: 2) else { return nil }
        var bytes = Data(capacity: text.utf8.count / 2)
        var half: UInt8?
        for digit in text {
            guard digit.isASCII, let value = digit.hexDigitValue.map(UInt8.init) else { return nil }
            if let first = half {
                bytes.append(first << 4 | value)
                half = nil
            } else {
                half = value
            }
        }
        self = bytes
    }
}
