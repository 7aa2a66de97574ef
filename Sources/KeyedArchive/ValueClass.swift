import Foundation

/// The classes of Foundation whose archived form this codec knows itself, by their names in archives.
enum ValueClass: String, CaseIterable {
    case array = "NSArray"
    case mutableArray = "NSMutableArray"
    case dictionary = "NSDictionary"
    case mutableDictionary = "NSMutableDictionary"
    case set = "NSSet"
    case mutableSet = "NSMutableSet"
    case orderedSet = "NSOrderedSet"
    case mutableOrderedSet = "NSMutableOrderedSet"
    case indexSet = "NSIndexSet"
    case mutableIndexSet = "NSMutableIndexSet"
    case mutableString = "NSMutableString"
    case string = "NSString"
    case mutableData = "NSMutableData"
    case data = "NSData"
    case date = "NSDate"
    case uuid = "NSUUID"
    case url = "NSURL"
    case null = "NSNull"

    /// The class that such an object comes back as.
    var foundationClass: AnyClass {
        switch self {
        case .array: NSArray.self
        case .mutableArray: NSMutableArray.self
        case .dictionary: NSDictionary.self
        case .mutableDictionary: NSMutableDictionary.self
        case .set: NSSet.self
        case .mutableSet: NSMutableSet.self
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
        }
    }

    /// `$classes`: the class and what it derives from.
    var chain: [String] {
        switch self {
        case .mutableArray: [rawValue, "NSArray", "NSObject"]
        case .mutableDictionary: [rawValue, "NSDictionary", "NSObject"]
        case .mutableSet: [rawValue, "NSSet", "NSObject"]
        case .mutableOrderedSet: [rawValue, "NSOrderedSet", "NSObject"]
        case .mutableIndexSet: [rawValue, "NSIndexSet", "NSObject"]
        case .mutableString: [rawValue, "NSString", "NSObject"]
        case .mutableData: [rawValue, "NSData", "NSObject"]
        case .array, .dictionary, .set, .orderedSet, .indexSet, .string, .data, .date, .uuid, .url, .null:
            [rawValue, "NSObject"]
        }
    }
}
