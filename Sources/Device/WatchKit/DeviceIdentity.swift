import Foundation

/// The identity of this process's device, as far as Apple's platforms show it to an app.
package enum DeviceIdentity {
    /// The device's name: `WATCHLINK_DEVICE_NAME`; without it, the name of its model.
    package static func name(model: String) -> String {
        ProcessInfo.processInfo.environment["WATCHLINK_DEVICE_NAME"] ?? model
    }

    /// Returns an identifier that is always the same for a model and a home directory, and another one elsewhere.
    package static func vendorIdentifier(model: String, home: String = NSHomeDirectory()) -> UUID {
        let bytes = Array("\(model) \(home)".utf8)
        let (high, low) = (hash(bytes), hash(bytes.reversed()))
        // The version and the variant say that the identifier has a form of its own (RFC 9562, version 8).
        let words = [high & ~0xF000 | 0x8000, low & ~(0b11 << 62) | 0b10 << 62]
        var identifier = UUID().uuid
        withUnsafeMutableBytes(of: &identifier) { room in
            for (index, word) in words.enumerated() {
                room.storeBytes(of: word.bigEndian, toByteOffset: 8 * index, as: UInt64.self)
            }
        }
        return UUID(uuid: identifier)
    }

    /// The hash of Fowler, Noll and Vo (FNV-1a), which does not change between processes as that of the library does.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
