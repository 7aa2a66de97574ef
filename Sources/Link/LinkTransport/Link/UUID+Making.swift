import CLinux
package import Foundation
import Glibc
import Locking

extension UUID {
    /// Returns a random identifier (version 4), like `UUID()` but without opening a file each time: random bytes are
    /// read from the kernel for many identifiers at a time.
    package static func random() -> UUID {
        RandomIdentifiers.pool.withLock { $0.next() }
    }

    /// Returns an identifier that begins with the time in milliseconds (version 7 of RFC 9562) and is otherwise random:
    /// databases store consecutive ones side by side, whereas random ones would each change another index page.
    package static func ordered() -> UUID {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var milliseconds = UInt64(max(0, time.tv_sec)) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
        var identifier = random().uuid
        withUnsafeMutableBytes(of: &identifier) { bytes in
            for place in (0..<6).reversed() {
                bytes[place] = UInt8(truncatingIfNeeded: milliseconds)
                milliseconds >>= 8
            }
        }
        identifier.6 = identifier.6 & 0x0F | 0x70
        return UUID(uuid: identifier)
    }
}

private struct RandomIdentifiers {
    static let pool = Mutex(RandomIdentifiers())

    /// The identifiers per system call. 64: a kilobyte.
    private static let count = 64

    private var bytes = [UInt8](repeating: 0, count: count * MemoryLayout<uuid_t>.size)
    private var used = RandomIdentifiers.count

    mutating func next() -> UUID {
        if used == Self.count { refill() }
        let place = used * MemoryLayout<uuid_t>.size
        used += 1
        var identifier = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: uuid_t.self) }
        // RFC 9562: version 4, and the variant common to all versions.
        identifier.6 = identifier.6 & 0x0F | 0x40
        identifier.8 = identifier.8 & 0x3F | 0x80
        return UUID(uuid: identifier)
    }

    private mutating func refill() {
        used = 0
        var filled = 0
        while filled < bytes.count {
            let count = bytes[filled...].withUnsafeMutableBytes { getrandom($0.baseAddress, $0.count, 0) }
            guard count > 0 || errno == EINTR else {
                // A kernel without getrandom(2): Swift's generator has its own fallback.
                for place in bytes.indices { bytes[place] = UInt8.random(in: 0...255) }
                return
            }
            filled += max(0, count)
        }
    }
}
