import Foundation

extension UUID {
    /// - Parameter bytes: 16; any other number makes no identifier.
    init?(bytes: Data) {
        guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// Its 16 bytes.
    var data: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
