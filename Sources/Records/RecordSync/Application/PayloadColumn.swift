public import Foundation
public import RecordStorage

/// A column of a payload's records: its name, its type and its value.
public struct PayloadColumn<Payload>: Sendable {
    /// The name and the type.
    public let column: RecordColumn
    /// Returns the value for a payload.
    let value: @Sendable (Payload) -> RecordValue

    /// Creates a column of text.
    public static func text(_ name: String, _ value: @escaping @Sendable (Payload) -> String) -> Self {
        Self(column: RecordColumn(name, .text)) { .text(value($0)) }
    }

    /// Creates a column of integers.
    public static func integer(_ name: String, _ value: @escaping @Sendable (Payload) -> Int) -> Self {
        Self(column: RecordColumn(name, .integer)) { .integer(Int64(value($0))) }
    }

    /// Creates a column of floating-point numbers. Stores refuse NaN: ``RecordPayload/validate()`` should, too.
    public static func real(_ name: String, _ value: @escaping @Sendable (Payload) -> Double) -> Self {
        Self(column: RecordColumn(name, .real)) { .real(value($0)) }
    }

    /// Creates a column of times, which are stored in whole milliseconds.
    public static func date(_ name: String, _ value: @escaping @Sendable (Payload) -> Date) -> Self {
        Self(column: RecordColumn(name, .date)) { .date(value($0)) }
    }
}
