/// The identity of the storage that copies of a Swift collection share until one of them is changed.
///
/// Swift's collections are values, but copies of one array are written once, like the object that Apple's archiver
/// makes of them. Otherwise thirty arrays that each contain the next one twice would be written as a billion.
enum StorageIdentity {
    /// Returns the storage object of an array; nil for an empty array, as all empty arrays share one.
    static func of<Element>(_ array: [Element]) -> AnyObject? { array.isEmpty ? nil : object(array) }
    static func of<Key, Value>(_ dictionary: [Key: Value]) -> AnyObject? {
        dictionary.isEmpty ? nil : object(dictionary)
    }
    static func of<Element>(_ set: Set<Element>) -> AnyObject? { set.isEmpty ? nil : object(set) }

    /// Returns an object itself, or the storage of a `[Any]` or `[String: Any]`; nil for other values.
    static func of(any value: Any) -> AnyObject? {
        if type(of: value) is AnyClass { return value as AnyObject }
        if type(of: value) == [Any].self, let array = value as? [Any] { return of(array) }
        if type(of: value) == [String: Any].self, let entries = value as? [String: Any] { return of(entries) }
        return nil
    }

    /// On Linux a collection is one reference to its storage; if that changes, only sharing is lost.
    @inline(__always)
    private static func object<Collection>(_ collection: Collection) -> AnyObject? {
        guard MemoryLayout<Collection>.size == MemoryLayout<AnyObject>.size else { return nil }
        return unsafeBitCast(collection, to: AnyObject.self)
    }
}

extension UInt {
    /// The address of an object.
    @inline(__always)
    init(identity object: AnyObject) { self.init(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }
}
