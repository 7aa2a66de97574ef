import Foundation

/// A value of one of Foundation's classes, ready to be written in the form that Apple gives it.
enum FoundationValue {
    case array([Any], mutable: Bool)
    /// Keys in the order in which they are written.
    case dictionary(keys: [Any], values: [Any], mutable: Bool)
    case set([Any], mutable: Bool)
    case orderedSet([Any], mutable: Bool)
    /// Ascending ranges that do not touch.
    case indexSet([NSRange], mutable: Bool)
    case mutableString(String)
    case mutableData(Data)
    case date(Date)
    case uuid(UUID)
    case url(URL)
    case null

    var valueClass: ValueClass {
        switch self {
        case .array(_, let mutable): mutable ? .mutableArray : .array
        case .dictionary(_, _, let mutable): mutable ? .mutableDictionary : .dictionary
        case .set(_, let mutable): mutable ? .mutableSet : .set
        case .orderedSet(_, let mutable): mutable ? .mutableOrderedSet : .orderedSet
        case .indexSet(_, let mutable): mutable ? .mutableIndexSet : .indexSet
        case .mutableString: .mutableString
        case .mutableData: .mutableData
        case .date: .date
        case .uuid: .uuid
        case .url: .url
        case .null: .null
        }
    }

    func encode(with archiver: KeyedArchiver) {
        switch self {
        case .array(let elements, _), .set(let elements, _): archiver.put(elements, key: "NS.objects")
        case .dictionary(let keys, let values, _):
            archiver.put(keys, key: "NS.keys")
            archiver.put(values, key: "NS.objects")
        case .orderedSet(let elements, _):
            for (position, element) in elements.enumerated() {
                archiver.encode(element, forKey: "NS.object.\(position)")
            }
        case .indexSet(let ranges, _): IndexRanges.encode(ranges, with: archiver)
        case .mutableString(let string): archiver.put(string, key: "NS.string")
        case .mutableData(let data): archiver.put(data, key: "NS.data")
        case .date(let date): archiver.encode(date.timeIntervalSinceReferenceDate, forKey: "NS.time")
        case .uuid(let uuid): archiver.put(withUnsafeBytes(of: uuid.uuid) { Data($0) }, key: "NS.uuidbytes")
        case .url(let url):
            archiver.encode(url.baseURL, forKey: "NS.base")
            archiver.encode(url.relativeString, forKey: "NS.relative")
        case .null: break
        }
    }

    /// The value of an object of Foundation's classes; nil for any other object.
    init?(_ object: NSObject) {
        switch object {
        case let array as NSArray: self = .array(array.map { $0 }, mutable: array is NSMutableArray)
        case let dictionary as NSDictionary:
            let keys = Self.ordered(dictionary.allKeys)
            let values = keys.map { dictionary.object(forKey: $0) ?? NSNull() }
            self = .dictionary(keys: keys, values: values, mutable: dictionary is NSMutableDictionary)
        case let set as NSSet: self = .set(Self.ordered(set.allObjects), mutable: set is NSMutableSet)
        case let set as NSOrderedSet: self = .orderedSet(set.map { $0 }, mutable: set is NSMutableOrderedSet)
        case let set as NSIndexSet: self = .indexSet(IndexRanges.ranges(of: set), mutable: set is NSMutableIndexSet)
        case let string as NSMutableString: self = .mutableString(string.description)
        case let data as NSMutableData: self = .mutableData(Data(bytes: data.bytes, count: data.length))
        case let date as NSDate: self = .date(date as Date)
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        case let url as NSURL: self = .url(url as URL)
        case is NSNull: self = .null
        default: return nil
        }
    }

    /// A stable order of what has none: strings by their text, the rest by their descriptions.
    static func ordered(_ elements: [Any]) -> [Any] {
        elements.map { ($0, ($0 as? String) ?? String(describing: $0)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
