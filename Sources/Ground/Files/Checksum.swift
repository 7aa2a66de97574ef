import CZlib
package import Foundation

/// A running CRC-32 as in zlib: detects corruption by a disk or a bug, not changes by an attacker.
package struct Checksum: Equatable, Sendable {
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: Data) {
        bytes.withUnsafeBytes { bytes in
            value = UInt32(
                crc32_z(UInt(value), bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count) & 0xFFFF_FFFF)
        }
    }
}
