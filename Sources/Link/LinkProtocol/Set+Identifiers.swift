public import Foundation

/// Access by identifiers.
extension Set where Element == IdentifierKey {
    @inlinable
    package func contains(_ identifier: UUID) -> Bool { contains(IdentifierKey(identifier)) }

    /// - Returns: True if the set did not contain it.
    @discardableResult
    @inlinable
    package mutating func insert(_ identifier: UUID) -> Bool { insert(IdentifierKey(identifier)).inserted }

    /// - Returns: True if the set contained it.
    @discardableResult
    @inlinable
    package mutating func remove(_ identifier: UUID) -> Bool { remove(IdentifierKey(identifier)) != nil }
}
