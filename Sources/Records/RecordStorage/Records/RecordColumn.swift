/// A column of a kind of records.
public struct RecordColumn: Sendable, Equatable {
    /// The type of a column's values.
    public enum ValueType: String, Sendable, CaseIterable {
        /// Unicode text.
        case text
        /// A signed integer of 64 bits.
        case integer
        /// A floating-point number of 64 bits.
        case real
        /// A time, stored in whole milliseconds since 1970 in UTC.
        case date
    }

    /// The name in lower-case letters, digits and underscores: “grade_point_average”.
    public let name: String
    /// The type of its values.
    public let type: ValueType

    /// Creates a column.
    public init(_ name: String, _ type: ValueType) { (self.name, self.type) = (name, type) }
}
