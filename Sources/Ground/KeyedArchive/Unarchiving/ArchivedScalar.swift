/// A plain value that arrays of an archive may hold: see ``Foundation/NSCoder/decodeArray(of:forKey:)``.
public protocol ArchivedScalar {
    /// Makes the value from what the archive holds; nil for a value of another kind, or one that does not fit.
    init?(archived value: PropertyListValue)
}

extension Int: ArchivedScalar {
    public init?(archived value: PropertyListValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Double: ArchivedScalar {
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
    public init?(archived value: PropertyListValue) {
        guard case .boolean(let flag) = value else { return nil }
        self = flag
    }
}

extension String: ArchivedScalar {
    public init?(archived value: PropertyListValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}
