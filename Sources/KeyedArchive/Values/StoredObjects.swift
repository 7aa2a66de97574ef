import Foundation

/// The objects that one of Foundation's collections holds, as they are.
///
/// What Foundation on Linux itself gives out is a copy, made of Swift's types down to the last element: a mutable string comes
/// out as a `String`, two references to one array as two arrays, and thirty arrays that each hold the next one twice as a
/// billion. A collection's mirror shows what it stores.
enum StoredObjects {
    static func of(_ array: NSArray) -> [Any] {
        let stored = Mirror(reflecting: array).children.map(\.value)
        // A subclass with a storage of its own has another mirror.
        return stored.count == array.count ? stored : array.map { $0 }
    }

    static func of(_ set: NSSet) -> [Any] {
        let stored = Mirror(reflecting: set).children.map(\.value)
        return stored.count == set.count ? stored : set.map { $0 }
    }

    static func of(_ set: NSOrderedSet) -> [Any] {
        let stored = Mirror(reflecting: set).children.map(\.value)
        return stored.count == set.count ? stored : set.map { $0 }
    }

    static func of(_ dictionary: NSDictionary) -> [(key: Any, value: Any)] {
        let stored = Mirror(reflecting: dictionary).children.compactMap { child in
            (child.value as? (key: NSObject, value: AnyObject)).map { (key: $0.key as Any, value: $0.value as Any) }
        }
        return stored.count == dictionary.count ? stored : dictionary.map { (key: $0.key, value: $0.value) }
    }

    /// The Swift value in a box that Foundation made to store it; nil for other objects.
    static func unboxed(_ object: AnyObject) -> Any? {
        let value = NSArray(object: object).object(at: 0)
        return type(of: value) is AnyClass ? nil : value
    }
}
