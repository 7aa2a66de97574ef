package import Foundation

/// A row of a result in the protocol's binary format.
package struct ServerRow: Sendable {
    private let fields: [Data?]

    package init(_ fields: [Data?]) { self.fields = fields }

    /// Returns the bytes of a field; nil for NULL, or if there is no such field.
    package func bytes(_ place: Int) -> Data? { fields.indices.contains(place) ? fields[place] : nil }

    package func integer(_ place: Int) -> Int64? {
        guard let bytes = bytes(place), [4, 8].contains(bytes.count) else { return nil }
        let value = bytes.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        return bytes.count == 8 ? Int64(bitPattern: value) : Int64(Int32(truncatingIfNeeded: value))
    }

    package func real(_ place: Int) -> Double? {
        guard let bytes = bytes(place), bytes.count == 8 else { return nil }
        return Double(bitPattern: bytes.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) })
    }

    package func text(_ place: Int) -> String? { bytes(place).map { String(decoding: $0, as: UTF8.self) } }

    package func identifier(_ place: Int) -> UUID? {
        guard let bytes = bytes(place), bytes.count == 16 else { return nil }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
        return UUID(uuid: value)
    }
}
