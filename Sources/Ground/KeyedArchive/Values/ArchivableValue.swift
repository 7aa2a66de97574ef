import Foundation

/// A value for the archiver, classified by how it is written.
enum ArchivableValue {
    /// A number, text or data, which is written directly into `$objects`.
    case plain(PropertyListValue)
    /// An object with identity, and its value if it is one of Foundation's classes.
    case object(NSObject, FoundationValue?)
    /// A Swift value with a Foundation form and without identity.
    case value(FoundationValue)
    case unsupported

    /// The type of `true` in an `NSNumber`; numbers have a different one.
    private static let booleanType = ObjectIdentifier(type(of: NSNumber(value: true)))

    /// - Parameter isShallow: See ``CanonicalOrder``.
    init(_ any: Any, isShallow: Bool = false) {
        // Swift's own types come first, by their exact type: a cast to them would also match bridged objects.
        let type = type(of: any)
        if type == String.self, let value = any as? String {
            self = .plain(.string(value))
        } else if type == Bool.self, let value = any as? Bool {
            self = .plain(.boolean(value))
        } else if type == Int.self, let value = any as? Int {
            self = .plain(.integer(Int64(value)))
        } else if type == Double.self, let value = any as? Double {
            self = .plain(.real(value))
        } else if type == CGFloat.self, let value = any as? CGFloat {
            self = .plain(.real(Double(value)))
        } else if type == Float.self, let value = any as? Float {
            self = .plain(.float(value))
        } else if type == Data.self, let value = any as? Data {
            self = .plain(.data(value))
        } else if type == Date.self, let value = any as? Date {
            self = .value(.date(value))
        } else if type == UUID.self, let value = any as? UUID {
            self = .value(.uuid(value))
        } else if type == URL.self, let value = any as? URL {
            self = .value(.url(base: value.baseURL, relative: value.relativeString))
        } else if type == Decimal.self, let value = any as? Decimal {
            self = .value(.decimal(DecimalForm(value)))
        } else if type == IndexSet.self, let value = any as? IndexSet {
            self = .value(.indexSet(IndexRanges.ranges(of: value as NSIndexSet), mutable: false))
        } else if type == AnyHashable.self, let value = any as? AnyHashable {
            self.init(value.base, isShallow: isShallow)
        } else if type is AnyClass, let object = any as AnyObject as? NSObject {
            self.init(object: object, isShallow: isShallow)
        } else if let value = GeometricForm(any) {
            self = .value(.geometric(value))
        } else {
            self.init(swiftValue: any, isShallow: isShallow)
        }
    }

    private init(object: NSObject, isShallow: Bool) {
        switch object {
        case let number as NSNumber where !(number is NSDecimalNumber): self.init(number: number)
        case let string as NSString where !(string is NSMutableString): self = .plain(.string(string.description))
        case let data as NSData where !(data is NSMutableData):
            self = .plain(.data(Data(bytes: data.bytes, count: data.length)))
        default: self = .object(object, FoundationValue(object, isShallow: isShallow))
        }
    }

    private init(swiftValue any: Any, isShallow: Bool) {
        switch any {
        case let optional as any OptionalValue:
            self = optional.wrapped.map { ArchivableValue($0, isShallow: isShallow) } ?? .object(NSNull.one, .null)
        case let integer as any FixedWidthInteger:
            if let value = Int64(exactly: integer) {
                self = .plain(.integer(value))
            } else if let value = UInt64(exactly: integer) {
                self = .plain(.unsigned(value))
            } else {
                self = .unsupported
            }
        case let elements as [Any]: self = .value(.array(elements, mutable: false))
        case let entries as [AnyHashable: Any]:
            let sorted = CanonicalOrder.sorted(Array(entries), isShallow: isShallow) { $0.key.base }
            self = .value(.dictionary(keys: sorted.map(\.key.base), values: sorted.map(\.value), mutable: false))
        case let elements as Set<AnyHashable>:
            self = .value(
                .set(CanonicalOrder.sorted(elements.map(\.base), isShallow: isShallow) { $0 }, mutable: false))
        default: self = .unsupported
        }
    }

    private init(number: NSNumber) {
        if ObjectIdentifier(Swift.type(of: number)) == Self.booleanType {
            self = .plain(.boolean(number.boolValue))
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"): self = .plain(.float(number.floatValue))
        case UInt8(ascii: "d"): self = .plain(.real(number.doubleValue))
        case UInt8(ascii: "Q"): self = .plain(.unsigned(number.uint64Value))
        default: self = .plain(.integer(number.int64Value))
        }
    }
}

/// Gives access to an optional inside an `Any`.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { map { $0 as Any } }
}
