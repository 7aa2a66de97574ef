/// A value for each case of an enumeration without payloads, found without hashing: for tables that every message looks into.
///
/// (An enumeration with a raw value is hashed by that: a string, mostly.)
public struct CaseTable<Key: CaseIterable, Value> {
    /// By the byte that a case is stored as.
    @usableFromInline let values: [Value?]

    public init(_ value: (Key) -> Value) {
        var values: [Value?] = []
        for key in Key.allCases {
            let place = Self.place(key)
            while values.count <= place { values.append(nil) }
            values[place] = value(key)
        }
        self.values = values
    }

    /// Never nil for an enumeration of up to 256 cases without payloads, each of which is stored as a byte of its own.
    @inlinable
    public subscript(key: Key) -> Value? {
        let place = Self.place(key)
        return place < values.count ? values[place] : nil
    }

    /// The byte that a case is stored as; 0 where there is one case only, which takes no bytes at all.
    @inlinable
    public static func place(_ key: Key) -> Int { withUnsafeBytes(of: key) { Int($0.first ?? 0) } }
}

extension CaseTable: Sendable where Value: Sendable {}
