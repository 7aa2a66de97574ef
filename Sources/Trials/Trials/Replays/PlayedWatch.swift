package import Foundation

/// The identity of a watch that is played from a cassette, which has numbers in place of identifiers.
package enum PlayedWatch {
    /// Returns the identifier of the watch with a number: the number is its last part.
    package static func identifier(_ number: Int) -> UUID {
        var bytes = [UInt8](repeating: 0, count: 16)
        // The form of version 8, which is for identifiers of one's own making.
        (bytes[6], bytes[8]) = (0x80, 0x80)
        for place in 0..<6 { bytes[15 - place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
