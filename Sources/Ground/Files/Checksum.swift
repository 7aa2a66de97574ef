import CZlib
package import Foundation

/// A running CRC-32, as zlib counts it: finds what a disk or a bug garbled, not what an enemy changed.
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
