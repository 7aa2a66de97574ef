/// A type of plain values in arrays of an archive: see ``Foundation/NSCoder/decodeArray(of:forKey:)``.
public protocol ArchivedScalar {
    /// Creates the value from an archived one; nil for a value of another kind or out of range.
    init?(archived value: PropertyListValue)
}

extension Int: ArchivedScalar {
    /// Creates an integer; nil for a value of another kind or out of range.
    public init?(archived value: PropertyListValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Double: ArchivedScalar {
    /// Creates a number from a real number or an integer up to `Int64.max`; nil for other values.
    public init?(archived value: PropertyListValue) {
        switch value {
        case .real(let number): self = number
        case .float(let number): self = Double(number)
        case .integer(let number): self = Double(number)
        case .null, .boolean, .unsigned, .date, .data, .string, .uid, .array, .set, .dictionary: return nil
        }
    }
}

extension Bool: ArchivedScalar {
    /// Creates a Boolean value; nil for a value of another kind.
    public init?(archived value: PropertyListValue) {
        guard case .boolean(let flag) = value else { return nil }
        self = flag
    }
}

extension String: ArchivedScalar {
    /// Creates a text; nil for a value of another kind.
    public init?(archived value: PropertyListValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}
