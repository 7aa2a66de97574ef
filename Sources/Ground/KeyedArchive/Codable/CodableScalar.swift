import Foundation

/// A type whose values are plain values of an archive.
protocol CodableScalar: Codable {
    var archived: PropertyListValue { get }
    /// Creates the value; nil for a value of another kind or out of range.
    init?(scalar: PropertyListValue)
}

extension Bool: CodableScalar {
    var archived: PropertyListValue { .boolean(self) }
    init?(scalar: PropertyListValue) { self.init(archived: scalar) }
}

extension String: CodableScalar {
    var archived: PropertyListValue { .string(self) }
    init?(scalar: PropertyListValue) { self.init(archived: scalar) }
}

extension Double: CodableScalar {
    var archived: PropertyListValue { .real(self) }
    init?(scalar: PropertyListValue) {
        if case .unsigned(let number) = scalar { self.init(number) } else { self.init(archived: scalar) }
    }
}

extension Float: CodableScalar {
    var archived: PropertyListValue { .float(self) }
    init?(scalar: PropertyListValue) {
        guard let value = Double(scalar: scalar) else { return nil }
        self.init(value)
        guard isFinite || !value.isFinite else { return nil }
    }
}

extension Data: CodableScalar {
    var archived: PropertyListValue { .data(self) }
    init?(scalar: PropertyListValue) {
        guard case .data(let data) = scalar else { return nil }
        self = data
    }
}

extension Date: CodableScalar {
    var archived: PropertyListValue { .date(timeIntervalSinceReferenceDate) }
    init?(scalar: PropertyListValue) {
        guard case .date(let seconds) = scalar else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension CodableScalar where Self: FixedWidthInteger {
    var archived: PropertyListValue {
        Int64(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: self))
    }

    init?(scalar: PropertyListValue) {
        switch scalar {
        case .integer(let number): self.init(exactly: number)
        case .unsigned(let number): self.init(exactly: number)
        case .real(let number): self.init(exactly: number)
        case .float(let number): self.init(exactly: number)
        case .null, .boolean, .date, .data, .string, .uid, .array, .set, .dictionary: return nil
        }
    }
}

extension Int: CodableScalar {}
extension Int8: CodableScalar {}
extension Int16: CodableScalar {}
extension Int32: CodableScalar {}
extension Int64: CodableScalar {}
extension UInt: CodableScalar {}
extension UInt8: CodableScalar {}
extension UInt16: CodableScalar {}
extension UInt32: CodableScalar {}
extension UInt64: CodableScalar {}
