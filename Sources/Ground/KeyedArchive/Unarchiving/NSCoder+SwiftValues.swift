public import Foundation

/// Swift's own values, read and checked in one step. With ``KeyedUnarchiver`` they come straight from the bytes; on Linux
/// each detour over a class of Foundation costs more than the rest of the decoding together (`NSData` is copied byte by byte).
extension NSCoder {
    /// The string under a key; nil if there is none.
    public func decodeString(forKey key: String) -> String? {
        guard let decoder = keyedUnarchiver?.decoder else {
            return decodeObject(of: NSString.self, forKey: key)?.description
        }
        return decoder.swiftValue(forKey: key, wanted: "a string") { uid, object, index throws(ArchiveError) in
            if let record = try decoder.record(of: object, at: index, .string, .mutableString) {
                return try decoder.document.text(of: record, decoder.budget)
            }
            return try decoder.sharingBody(uid, object) { () throws(ArchiveError) in
                try decoder.document.list.string(object)
            }
        }
    }

    /// The data under a key; nil if there is none.
    public func decodeData(forKey key: String) -> Data? {
        guard let decoder = keyedUnarchiver?.decoder else {
            return decodeObject(of: NSData.self, forKey: key).map { Data(bytes: $0.bytes, count: $0.length) }
        }
        return decoder.swiftValue(forKey: key, wanted: "data") { uid, object, _ throws(ArchiveError) in
            guard case .data(let range) = object else { return nil }
            return try decoder.sharingBody(uid, object) { () throws(ArchiveError) in
                Data(decoder.document.list.bytes.bytes(range))
            }
        }
    }

    /// The date under a key; nil if there is none.
    public func decodeDate(forKey key: String) -> Date? {
        guard let decoder = keyedUnarchiver?.decoder else {
            return decodeObject(of: NSDate.self, forKey: key).map { $0 as Date }
        }
        return decoder.swiftValue(forKey: key, wanted: "a date") { _, object, index throws(ArchiveError) in
            guard let record = try decoder.record(of: object, at: index, .date) else { return nil }
            return Date(timeIntervalSinceReferenceDate: try decoder.document.seconds(of: record))
        }
    }

    /// The UUID under a key; nil if there is none.
    public func decodeUUID(forKey key: String) -> UUID? {
        guard let decoder = keyedUnarchiver?.decoder else {
            return decodeObject(of: NSUUID.self, forKey: key).map { $0 as UUID }
        }
        return decoder.swiftValue(forKey: key, wanted: "a UUID") { _, object, index throws(ArchiveError) in
            guard let record = try decoder.record(of: object, at: index, .uuid) else { return nil }
            return try decoder.document.uuid(of: record)
        }
    }

    /// The array of plain values under a key, such as `[Int]` or `[String]`; nil if there is none.
    public func decodeArray<Element: ArchivedScalar>(of type: Element.Type, forKey key: String) -> [Element]? {
        guard let decoder = keyedUnarchiver?.decoder else {
            return decodeObject(of: [NSArray.self, NSString.self, NSNumber.self], forKey: key) as? [Element]
        }
        // By their exact types: the code for any type is several times slower.
        if type == Int.self { return same(decoder.scalars(of: Int.self, forKey: key)) }
        if type == String.self { return same(decoder.scalars(of: String.self, forKey: key)) }
        if type == Double.self { return same(decoder.scalars(of: Double.self, forKey: key)) }
        return decoder.scalars(of: type, forKey: key)
    }

    /// The array under a key, whose elements must all be of a class; nil if there is none.
    public func decodeArrayOfObjects<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, forKey key: String
    ) -> [DecodedObjectType]? {
        guard let unarchiver = keyedUnarchiver else {
            return decodeObject(of: [NSArray.self, cls], forKey: key) as? [DecodedObjectType]
        }
        return unarchiver.decoder.objects(of: cls, forKey: key, for: unarchiver).map { $0.known(as: cls) }
    }
}

/// An array whose type is known to be the one wanted, for the compiler to know it too.
@inline(__always)
private func same<Known, Wanted>(_ array: [Known]?) -> [Wanted]? {
    Known.self == Wanted.self ? unsafeBitCast(array, to: [Wanted]?.self) : nil
}

extension [NSObject] {
    /// The same array, for elements that were all found to be of the class: nothing is asked of each again.
    func known<Wanted: NSObject>(as cls: Wanted.Type) -> [Wanted] {
        assert(allSatisfy { $0 is Wanted })
        return unsafeBitCast(self, to: [Wanted].self)
    }
}

extension NSCoder {
    /// Nearly always it is the class itself: a cast asks for each ancestor.
    @inline(__always)
    fileprivate var keyedUnarchiver: KeyedUnarchiver? {
        type(of: self) == KeyedUnarchiver.self
            ? unsafeDowncast(self, to: KeyedUnarchiver.self) : self as? KeyedUnarchiver
    }
}

extension ObjectDecoder {
    /// A keyed object of one or two of Foundation's classes; nil for anything else.
    fileprivate func record(
        of object: BinaryPropertyList.Object, at index: Int, _ first: ValueClass, _ second: ValueClass? = nil
    ) throws(ArchiveError) -> ArchiveRecord? {
        guard case .dictionary(let entries) = object else { return nil }
        let place = try classes.place(ofClassOf: entries, at: index)
        guard let valueClass = classes.valueClass(place), valueClass == first || valueClass == second else {
            return nil
        }
        return try classes.record(at: index, entries, place)
    }

    /// Short bodies fit into a value itself: they are made each time.
    fileprivate func sharingBody<Value>(
        _ uid: UInt32, _ object: BinaryPropertyList.Object, _ make: () throws(ArchiveError) -> Value?
    ) throws(ArchiveError) -> Value? {
        let length = object.bodyLength
        guard length > 15 else { return try make() }
        return try sharing(
            uid, charge: { budget throws(ArchiveError) in try budget.copy(length, offset: record.offset) }, make)
    }
}
