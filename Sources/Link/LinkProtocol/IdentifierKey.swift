public import Foundation

/// An identifier as the key of a table that the rules keep for themselves: `UUID` takes some 300 instructions to find,
/// most of them for its hash, and every package is looked up in a dozen tables.
///
/// The hash multiplies both halves with a secret, so that a peer cannot choose identifiers that collide. What is
/// inlinable here is inlined into the modules that have such tables: a call costs more than the hash.
@usableFromInline
package struct IdentifierKey: Hashable, Sendable {
    @usableFromInline let high: UInt64
    @usableFromInline let low: UInt64

    /// Different in every process, except where the standard library hashes deterministically.
    @usableFromInline static let secret = (hash(1), hash(2))

    private static func hash(_ number: Int) -> UInt64 { UInt64(truncatingIfNeeded: number.hashValue) }

    @inlinable
    package init(_ identifier: UUID) {
        (high, low) = withUnsafeBytes(of: identifier.uuid) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
    }

    @inlinable package var identifier: UUID {
        UUID(uuid: withUnsafeBytes(of: (high, low)) { $0.loadUnaligned(as: uuid_t.self) })
    }

    @inlinable
    package static func == (one: IdentifierKey, other: IdentifierKey) -> Bool {
        one.high == other.high && one.low == other.low
    }

    @inlinable
    package func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }

    /// The hash that dictionaries use.
    @inlinable
    package func _rawHashValue(seed: Int) -> Int {
        let (first, second) = Self.secret
        return hash(first: first, second: second ^ UInt64(truncatingIfNeeded: seed))
    }

    /// Two folded products, as in wyhash (github.com/wangyi-fudan/wyhash). One is not enough: dictionaries look at the
    /// lowest bits, and where a factor ends in zeros, these say little about identifiers that count up.
    @inlinable
    package func hash(first: UInt64, second: UInt64) -> Int {
        let product = (high ^ first).multipliedFullWidth(by: low ^ second)
        let spread = (product.high ^ product.low).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: spread.high ^ spread.low)
    }
}
