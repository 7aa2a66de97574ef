package import Foundation

/// The identity of a watch that is played from a cassette, which has numbers in place of identifiers.
package enum PlayedWatch {
    /// Returns the identifier of the watch at a place among the phone's, from 1: the place is its last part. A later start of
    /// the phone knows it again.
    package static func identifier(at place: Int) -> UUID {
        var bytes = [UInt8](repeating: 0, count: 16)
        // The form of version 8, which is for identifiers of one's own making.
        (bytes[6], bytes[8]) = (0x80, 0x80)
        for byte in 0..<6 { bytes[15 - byte] = UInt8(truncatingIfNeeded: place >> (8 * byte)) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
