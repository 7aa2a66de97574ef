import Foundation

/// Which objects Foundation on Linux can hash and compare. What it cannot ends the process, so that no archive may bring it into
/// a set, or among the keys of a dictionary.
enum FoundationEquality {
    /// Whether an element of a set can be looked up.
    static func canLookUp(_ element: AnyObject) -> Bool {
        switch element {
        // Its hash never comes back.
        case is NSDecimalNumber: false
        case is NSArray, is NSDictionary, is NSSet, is NSOrderedSet: canCompare(element)
        default: true
        }
    }

    /// Whether a key of a dictionary can be looked up, and copied, and be a key of Swift's dictionaries.
    static func canBeKey(_ key: AnyObject) -> Bool {
        key is any NSCopying && !(key is NSArray) && !(key is NSDictionary) && canLookUp(key)
    }

    /// Sets compare by way of Swift's, whose elements cannot be arrays and dictionaries.
    private static func canCompare(_ object: Any) -> Bool {
        switch object {
        case let array as NSArray: StoredObjects.of(array).allSatisfy(canCompare)
        case let dictionary as NSDictionary: StoredObjects.of(dictionary).allSatisfy { canCompare($0.value) }
        case let set as NSSet: StoredObjects.of(set).allSatisfy { !isArrayOrDictionary($0) && canCompare($0) }
        case let set as NSOrderedSet: StoredObjects.of(set).allSatisfy { !isArrayOrDictionary($0) && canCompare($0) }
        default: true
        }
    }

    private static func isArrayOrDictionary(_ object: Any) -> Bool { object is NSArray || object is NSDictionary }
}
