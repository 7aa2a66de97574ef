public import Foundation

/// Access by identifiers.
extension Dictionary where Key == IdentifierKey {
    @inlinable
    package subscript(identifier: UUID) -> Value? {
        get { self[IdentifierKey(identifier)] }
        set { self[IdentifierKey(identifier)] = newValue }
    }

    @inlinable
    package func index(forKey identifier: UUID) -> Index? { index(forKey: IdentifierKey(identifier)) }

    @inlinable
    package mutating func updateValue(_ value: Value, forKey identifier: UUID) -> Value? {
        updateValue(value, forKey: IdentifierKey(identifier))
    }

    @discardableResult
    @inlinable
    package mutating func removeValue(forKey identifier: UUID) -> Value? {
        removeValue(forKey: IdentifierKey(identifier))
    }

    /// Changes a value in place.
    ///
    /// - Returns: Nil if the key is missing.
    @discardableResult
    mutating func change<Result>(_ identifier: UUID, _ change: (inout Value) -> Result) -> Result? {
        self.change(IdentifierKey(identifier), change)
    }
}
