package import Foundation

/// A parameter of a statement in the protocol's binary format.
package struct ServerParameter: Equatable, Sendable {
    /// The number of a type, the same in every server.
    package enum ObjectType: UInt32, Sendable {
        case bytes = 17
        case integer = 20
        case number = 23
        case text = 25
        case real = 701
        case bytesArray = 1001
        case textArray = 1009
        case integerArray = 1016
        case realArray = 1022
        case identifier = 2950
        case identifierArray = 2951
    }

    package let type: ObjectType
    /// The bytes; nil for NULL.
    package let bytes: [UInt8]?

    private init(_ type: ObjectType, _ bytes: [UInt8]?) { (self.type, self.bytes) = (type, bytes) }

    package static func text(_ value: String) -> ServerParameter {
        ServerParameter(.text, [UInt8](value.storable.utf8))
    }
    package static func bytes(_ value: Data?) -> ServerParameter {
        ServerParameter(.bytes, value.map { [UInt8]($0) })
    }
    package static func identifier(_ value: UUID) -> ServerParameter {
        withUnsafeBytes(of: value.uuid) { ServerParameter(.identifier, [UInt8]($0)) }
    }
    package static func integer(_ value: Int64?) -> ServerParameter {
        ServerParameter(.integer, value.map { value in withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) } })
    }
    package static func number(_ value: Int32) -> ServerParameter {
        withUnsafeBytes(of: value.bigEndian) { ServerParameter(.number, [UInt8]($0)) }
    }
    package static func real(_ value: Double) -> ServerParameter {
        withUnsafeBytes(of: value.bitPattern.bigEndian) { ServerParameter(.real, [UInt8]($0)) }
    }

    package static func texts(_ values: [String]) -> ServerParameter {
        array(
            .textArray, of: .text, values, size: { $0.utf8.count },
            append: { bytes, value in bytes.append(contentsOf: value.storable.utf8) })
    }
    package static func bytes(_ values: [Data]) -> ServerParameter {
        array(.bytesArray, of: .bytes, values, size: \.count) { $0.append(contentsOf: $1) }
    }
    package static func identifiers(_ values: [UUID]) -> ServerParameter {
        array(
            .identifierArray, of: .identifier, values, size: { _ in 16 },
            append: { bytes, value in withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) } })
    }
    package static func integers(_ values: [Int64]) -> ServerParameter {
        array(.integerArray, of: .integer, values, size: { _ in 8 }, append: { $0.append($1) })
    }
    package static func reals(_ values: [Double]) -> ServerParameter {
        array(.realArray, of: .real, values, size: { _ in 8 }, append: { $0.append(Int64(bitPattern: $1.bitPattern)) })
    }

    /// Returns an array of one dimension without NULL.
    private static func array<Value>(
        _ type: ObjectType, of element: ObjectType, _ values: [Value], size: (Value) -> Int,
        append: (inout [UInt8], Value) -> Void
    ) -> ServerParameter {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.reduce(20) { $0 + 4 + size($1) })
        // Dimensions, “has NULL”, type; an empty array has no dimension.
        bytes.append(Int32(values.isEmpty ? 0 : 1))
        bytes.append(Int32(0))
        bytes.append(Int32(bitPattern: element.rawValue))
        guard !values.isEmpty else { return ServerParameter(type, bytes) }
        bytes.append(Int32(truncatingIfNeeded: values.count))
        bytes.append(Int32(1))
        for value in values {
            let start = bytes.count
            bytes.append(Int32(0))
            append(&bytes, value)
            let length = Int32(truncatingIfNeeded: bytes.count - start - 4).bigEndian
            withUnsafeBytes(of: length) { length in
                for place in 0..<4 { bytes[start + place] = length[place] }
            }
        }
        return ServerParameter(type, bytes)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}

extension String {
    /// The text as PostgreSQL can store it: it has no NUL character, so its symbol U+2400 takes the place. Only what
    /// lists show is affected; the archive keeps every byte.
    package var storable: String {
        utf8.contains(0) ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 })) : self
    }
}
