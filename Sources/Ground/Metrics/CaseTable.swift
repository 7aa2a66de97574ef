/// A table with a value for each case of an enumeration without payloads, read without hashing for every message.
///
/// An enumeration with a raw value is hashed by that value, usually a string.
public struct CaseTable<Key: CaseIterable, Value> {
    /// The values, indexed by the byte that represents the case.
    @usableFromInline let values: [Value?]

    /// Creates a table with the value of each case.
    public init(_ value: (Key) -> Value) {
        var values: [Value?] = []
        for key in Key.allCases {
            let place = Self.place(key)
            while values.count <= place { values.append(nil) }
            values[place] = value(key)
        }
        self.values = values
    }

    /// The value of a case. Never nil for an enumeration of up to 256 cases without payloads, each of which is stored
    /// as a distinct byte.
    @inlinable
    public subscript(key: Key) -> Value? {
        let place = Self.place(key)
        return place < values.count ? values[place] : nil
    }

    /// Returns the byte that represents a case; 0 for an enumeration with a single case, which takes no space.
    @inlinable
    public static func place(_ key: Key) -> Int { withUnsafeBytes(of: key) { Int($0.first ?? 0) } }
}

extension CaseTable: Sendable where Value: Sendable {}
