import CCoreFoundation
import Foundation

/// Access to the objects that a Foundation collection stores, without conversion.
///
/// Foundation on Linux itself returns copies, converted to Swift types down to the last element: a mutable string
/// becomes a `String`, two references to one array become two arrays, and thirty arrays that each contain the next one
/// twice become a billion. Subclasses that store their elements themselves are still accessed that way.
enum StoredObjects {
    static func of(_ array: NSArray) -> [Any] {
        guard type(of: array) == NSArray.self || type(of: array) == NSMutableArray.self else { return array.map { $0 } }
        let address = Unmanaged.passUnretained(array).toOpaque()
        return withExtendedLifetime(array) {
            (0..<array.count).map { object(CFArrayGetValueAtIndex(address, $0)) }
        }
    }

    static func of(_ set: NSSet) -> [Any] {
        // CoreFoundation would request the objects from a counted set, and return addresses of released copies.
        if let counted = set as? NSCountedSet { return reflected(counted, count: counted.count) ?? counted.map { $0 } }
        guard type(of: set) == NSSet.self || type(of: set) == NSMutableSet.self else { return set.map { $0 } }
        return withExtendedLifetime(set) {
            stored(set.count) { CFSetGetValues(Unmanaged.passUnretained(set).toOpaque(), $0) }
        }
    }

    static func of(_ dictionary: NSDictionary) -> [(key: Any, value: Any)] {
        guard type(of: dictionary) == NSDictionary.self || type(of: dictionary) == NSMutableDictionary.self else {
            return dictionary.map { (key: $0.key, value: $0.value) }
        }
        let count = dictionary.count
        return withExtendedLifetime(dictionary) {
            let both = stored(2 * count) { room in
                CFDictionaryGetKeysAndValues(Unmanaged.passUnretained(dictionary).toOpaque(), room, room + count)
            }
            return (0..<count).map { (key: both[$0], value: both[count + $0]) }
        }
    }

    static func of(_ set: NSOrderedSet) -> [Any] { reflected(set, count: set.count) ?? set.map { $0 } }

    /// Returns the stored objects from the mirror of a collection that CoreFoundation does not know; nil for a subclass
    /// whose mirror has different contents.
    private static func reflected(_ collection: AnyObject, count: Int) -> [Any]? {
        let stored = Mirror(reflecting: collection).children.map(\.value)
        return stored.count == count ? stored : nil
    }

    /// Returns the Swift value in a box that Foundation made to store it; nil for other objects.
    static func unboxed(_ object: AnyObject) -> Any? {
        let value = NSArray(object: object).object(at: 0)
        return type(of: value) is AnyClass ? nil : value
    }

    /// - Parameter store: Stores `count` objects at the given address.
    private static func stored(
        _ count: Int, _ store: (UnsafeMutablePointer<UnsafeRawPointer?>) -> Void
    ) -> [Any] {
        withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: max(count, 1)) { room in
            guard let base = room.baseAddress else { return [] }
            base.initialize(repeating: nil, count: count)
            store(base)
            return (0..<count).compactMap { base[$0].map(object) }
        }
    }

    private static func object(_ address: UnsafeRawPointer) -> Any {
        Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    }
}
