/// The memory that equal copies of a Swift collection share until one of them is changed.
///
/// Swift's collections are values; but what was one array is written once, as Apple's archiver does with the object that it
/// makes of it. Without that, thirty arrays that each hold the next one twice would be written as a billion.
enum StorageIdentity {
    /// The object that holds an array's elements; nil for an empty array, as all of those share one.
    static func of<Element>(_ array: [Element]) -> AnyObject? { array.isEmpty ? nil : object(array) }
    static func of<Key, Value>(_ dictionary: [Key: Value]) -> AnyObject? {
        dictionary.isEmpty ? nil : object(dictionary)
    }
    static func of<Element>(_ set: Set<Element>) -> AnyObject? { set.isEmpty ? nil : object(set) }

    /// The object itself, or what the usual collections of anything stand on; nil for other values.
    static func of(any value: Any) -> AnyObject? {
        if type(of: value) is AnyClass { return value as AnyObject }
        if type(of: value) == [Any].self, let array = value as? [Any] { return of(array) }
        if type(of: value) == [String: Any].self, let entries = value as? [String: Any] { return of(entries) }
        return nil
    }

    /// On Linux a collection is one reference to its memory; were it ever more, sharing would be lost and nothing else.
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
