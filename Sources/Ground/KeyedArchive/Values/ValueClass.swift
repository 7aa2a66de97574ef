import Foundation

/// The Foundation classes whose archived form this codec reads and writes itself.
enum ValueClass: UInt8, CaseIterable, BitwiseCopyable {
    case array
    case mutableArray
    case dictionary
    case mutableDictionary
    case set
    case mutableSet
    case countedSet
    case orderedSet
    case mutableOrderedSet
    case indexSet
    case mutableIndexSet
    case string
    case mutableString
    case data
    case mutableData
    case date
    case uuid
    case url
    case null
    case value
    case decimalNumber
    /// The class name in Apple's archives for a decimal number that was archived through its class cluster.
    case decimalNumberPlaceholder

    private static let names = allCases.map(\.name)

    /// Creates the class whose name is stored in these bytes.
    init?(nameAt bytes: UnsafeRawBufferPointer) {
        // Most other names belong to client classes.
        guard bytes.count > 2, bytes[0] == UInt8(ascii: "N"), bytes[1] == UInt8(ascii: "S"),
            let position = Self.names.firstIndex(where: { $0.hasBytes(bytes) })
        else { return nil }
        self = Self.allCases[position]
    }

    /// The name in archives.
    var name: String {
        switch self {
        case .array: "NSArray"
        case .mutableArray: "NSMutableArray"
        case .dictionary: "NSDictionary"
        case .mutableDictionary: "NSMutableDictionary"
        case .set: "NSSet"
        case .mutableSet: "NSMutableSet"
        case .countedSet: "NSCountedSet"
        case .orderedSet: "NSOrderedSet"
        case .mutableOrderedSet: "NSMutableOrderedSet"
        case .indexSet: "NSIndexSet"
        case .mutableIndexSet: "NSMutableIndexSet"
        case .string: "NSString"
        case .mutableString: "NSMutableString"
        case .data: "NSData"
        case .mutableData: "NSMutableData"
        case .date: "NSDate"
        case .uuid: "NSUUID"
        case .url: "NSURL"
        case .null: "NSNull"
        case .value: "NSValue"
        case .decimalNumber: "NSDecimalNumber"
        case .decimalNumberPlaceholder: "NSDecimalNumberPlaceholder"
        }
    }

    /// The class of the decoded object.
    var foundationClass: AnyClass {
        switch self {
        case .array: NSArray.self
        case .mutableArray: NSMutableArray.self
        case .dictionary: NSDictionary.self
        case .mutableDictionary: NSMutableDictionary.self
        case .set: NSSet.self
        case .mutableSet: NSMutableSet.self
        case .countedSet: NSCountedSet.self
        case .orderedSet: NSOrderedSet.self
        case .mutableOrderedSet: NSMutableOrderedSet.self
        case .indexSet: NSIndexSet.self
        case .mutableIndexSet: NSMutableIndexSet.self
        case .mutableString: NSMutableString.self
        case .string: NSString.self
        case .mutableData: NSMutableData.self
        case .data: NSData.self
        case .date: NSDate.self
        case .uuid: NSUUID.self
        case .url: NSURL.self
        case .null: NSNull.self
        case .value: NSValue.self
        case .decimalNumber, .decimalNumberPlaceholder: NSDecimalNumber.self
        }
    }

    /// `$classes`: the class and its ancestors.
    var chain: [String] { Self.chains[Int(rawValue)] }

    private static let chains = allCases.map(\.ancestry)

    private var ancestry: [String] {
        switch self {
        case .mutableArray: [name, "NSArray", "NSObject"]
        case .mutableDictionary: [name, "NSDictionary", "NSObject"]
        case .mutableSet: [name, "NSSet", "NSObject"]
        case .countedSet: [name, "NSMutableSet", "NSSet", "NSObject"]
        case .decimalNumber: [name, "NSNumber", "NSValue", "NSObject"]
        case .decimalNumberPlaceholder: [name, "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]
        case .mutableOrderedSet: [name, "NSOrderedSet", "NSObject"]
        case .mutableIndexSet: [name, "NSIndexSet", "NSObject"]
        case .mutableString: [name, "NSString", "NSObject"]
        case .mutableData: [name, "NSData", "NSObject"]
        case .array, .dictionary, .set, .orderedSet, .indexSet, .string, .data, .date, .uuid, .url, .null,
            .value:
            [name, "NSObject"]
        }
    }
}
