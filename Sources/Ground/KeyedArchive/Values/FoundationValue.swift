import Foundation

/// A value of one of Foundation's classes, ready to be written in Apple's form.
enum FoundationValue {
    case array([Any], mutable: Bool)
    /// The keys in the order of writing, and their values.
    case dictionary(keys: [Any], values: [Any], mutable: Bool)
    case set([Any], mutable: Bool)
    /// Each distinct element and its count.
    case countedSet([(element: Any, count: Int)])
    case orderedSet([Any], mutable: Bool)
    /// Ascending ranges that do not touch.
    case indexSet([NSRange], mutable: Bool)
    case mutableString(String)
    case mutableData(Data)
    case date(Date)
    case uuid(UUID)
    case url(base: URL?, relative: String)
    case null
    case decimal(DecimalForm)
    case geometric(GeometricForm)

    var valueClass: ValueClass {
        switch self {
        case .array(_, let mutable): mutable ? .mutableArray : .array
        case .dictionary(_, _, let mutable): mutable ? .mutableDictionary : .dictionary
        case .set(_, let mutable): mutable ? .mutableSet : .set
        case .countedSet: .countedSet
        case .orderedSet(_, let mutable): mutable ? .mutableOrderedSet : .orderedSet
        case .indexSet(_, let mutable): mutable ? .mutableIndexSet : .indexSet
        case .mutableString: .mutableString
        case .mutableData: .mutableData
        case .date: .date
        case .uuid: .uuid
        case .url: .url
        case .null: .null
        case .decimal: .decimalNumber
        case .geometric: .value
        }
    }

    func encode(with archiver: KeyedArchiver) {
        switch self {
        case .array(let elements, _), .set(let elements, _):
            archiver.list(elements.count, key: .elements) { archiver.archive(elements[$0]) }
        case .dictionary(let keys, let values, _):
            archiver.list(keys.count, key: .keys) { archiver.archive(keys[$0]) }
            archiver.list(values.count, key: .elements) { archiver.archive(values[$0]) }
        case .countedSet(let elements): CountedElements.encode(elements, with: archiver)
        case .orderedSet(let elements, _):
            for (position, element) in elements.enumerated() {
                archiver.encode(element, forKey: "NS.object.\(position)")
            }
        case .indexSet(let ranges, _): IndexRanges.encode(ranges, with: archiver)
        case .mutableString(let string): archiver.plain("NS.string") { $0.add(string) }
        case .mutableData(let data): archiver.plain("NS.data") { $0.add(data) }
        case .date(let date): archiver.plain(CommonText.time) { $0.add(date.timeIntervalSinceReferenceDate) }
        case .uuid(let uuid):
            archiver.plain(CommonText.uuid) { table in withUnsafeBytes(of: uuid.uuid) { table.add(data: $0) } }
        case .url(let base, let relative):
            archiver.encode(base, forKey: "NS.base")
            archiver.encode(relative, forKey: "NS.relative")
        case .null: break
        case .decimal(let decimal): decimal.encode(with: archiver)
        case .geometric(let value): value.encode(with: archiver)
        }
    }

    /// Creates the value of an object of Foundation's classes; nil for any other object.
    ///
    /// - Parameter isShallow: See ``CanonicalOrder``.
    init?(_ object: NSObject, isShallow: Bool) {
        switch object {
        case let array as NSArray: self = .array(StoredObjects.of(array), mutable: array is NSMutableArray)
        case let dictionary as NSDictionary:
            let sorted = CanonicalOrder.sorted(StoredObjects.of(dictionary), isShallow: isShallow) { $0.key }
            self = .dictionary(
                keys: sorted.map(\.key), values: sorted.map(\.value), mutable: dictionary is NSMutableDictionary)
        case let set as NSCountedSet:
            let elements = CanonicalOrder.sorted(StoredObjects.of(set), isShallow: isShallow) { $0 }
            self = .countedSet(elements.map { ($0, set.count(for: $0)) })
        case let set as NSSet:
            self = .set(
                CanonicalOrder.sorted(StoredObjects.of(set), isShallow: isShallow) { $0 }, mutable: set is NSMutableSet)
        case let set as NSOrderedSet: self = .orderedSet(StoredObjects.of(set), mutable: set is NSMutableOrderedSet)
        case let set as NSIndexSet: self = .indexSet(IndexRanges.ranges(of: set), mutable: set is NSMutableIndexSet)
        case let string as NSMutableString: self = .mutableString(string.description)
        case let data as NSMutableData: self = .mutableData(Data(bytes: data.bytes, count: data.length))
        case let date as NSDate: self = .date(date as Date)
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        case let url as NSURL: self = .url(base: url.baseURL, relative: url.relativeString)
        case is NSNull: self = .null
        case let number as NSDecimalNumber: self = .decimal(DecimalForm(number as Decimal))
        case let value as NSValue:
            guard let geometric = GeometricForm(value) else { return nil }
            self = .geometric(geometric)
        default: return nil
        }
    }
}
