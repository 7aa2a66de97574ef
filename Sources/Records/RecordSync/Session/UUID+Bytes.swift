import Foundation

extension UUID {
    /// Creates an identifier from 16 bytes; nil for any other number of bytes.
    package init?(bytes: Data) {
        guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// The 16 bytes of the identifier.
    package var data: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
