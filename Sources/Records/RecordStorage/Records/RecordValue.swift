public import Foundation

/// The value of a record's column.
public enum RecordValue: Sendable, Equatable {
    /// A text.
    case text(String)
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A time; stores keep whole milliseconds.
    case date(Date)

    /// The type of the columns that hold such a value.
    public var type: RecordColumn.ValueType {
        switch self {
        case .text: .text
        case .integer: .integer
        case .real: .real
        case .date: .date
        }
    }
}
