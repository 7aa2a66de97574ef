public import Foundation

/// Methods that read and check Swift values in one step. ``KeyedUnarchiver`` decodes them directly from the bytes; on
/// Linux each detour through a Foundation class costs more than the rest of the decoding together (`NSData` is copied
/// byte by byte).
extension NSCoder {
    /// Decodes the string under a key; nil if the key is missing.
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

    /// Decodes the data under a key; nil if the key is missing.
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

    /// Decodes the date under a key; nil if the key is missing.
    public func decodeDate(forKey key: String) -> Date? {
        guard let decoder = keyedUnarchiver?.decoder else {
            return decodeObject(of: NSDate.self, forKey: key).map { $0 as Date }
        }
        return decoder.swiftValue(forKey: key, wanted: "a date") { _, object, index throws(ArchiveError) in
            guard let record = try decoder.record(of: object, at: index, .date) else { return nil }
            return Date(timeIntervalSinceReferenceDate: try decoder.document.seconds(of: record))
        }
    }

    /// Decodes the UUID under a key; nil if the key is missing.
    public func decodeUUID(forKey key: String) -> UUID? {
        guard let decoder = keyedUnarchiver?.decoder else {
            return decodeObject(of: NSUUID.self, forKey: key).map { $0 as UUID }
        }
        return decoder.swiftValue(forKey: key, wanted: "a UUID") { _, object, index throws(ArchiveError) in
            guard let record = try decoder.record(of: object, at: index, .uuid) else { return nil }
            return try decoder.document.uuid(of: record)
        }
    }

    /// Decodes the array of plain values under a key, such as `[Int]` or `[String]`; nil if the key is missing.
    public func decodeArray<Element: ArchivedScalar>(of type: Element.Type, forKey key: String) -> [Element]? {
        guard let decoder = keyedUnarchiver?.decoder else {
            return decodeObject(of: [NSArray.self, NSString.self, NSNumber.self], forKey: key) as? [Element]
        }
        // By their exact types: the generic code is several times slower.
        if type == Int.self { return same(decoder.scalars(of: Int.self, forKey: key)) }
        if type == String.self { return same(decoder.scalars(of: String.self, forKey: key)) }
        if type == Double.self { return same(decoder.scalars(of: Double.self, forKey: key)) }
        return decoder.scalars(of: type, forKey: key)
    }

    /// Decodes the array under a key, whose elements must all be of a class; nil if the key is missing.
    public func decodeArrayOfObjects<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, forKey key: String
    ) -> [DecodedObjectType]? {
        guard let unarchiver = keyedUnarchiver else {
            return decodeObject(of: [NSArray.self, cls], forKey: key) as? [DecodedObjectType]
        }
        return unarchiver.decoder.objects(of: cls, forKey: key, for: unarchiver).map { $0.known(as: cls) }
    }
}

/// Casts an array whose type is known to be the wanted one.
@inline(__always)
private func same<Known, Wanted>(_ array: [Known]?) -> [Wanted]? {
    Known.self == Wanted.self ? unsafeBitCast(array, to: [Wanted]?.self) : nil
}

extension [NSObject] {
    /// Casts an array whose elements were all checked to be of the class, without checking them again.
    func known<Wanted: NSObject>(as cls: Wanted.Type) -> [Wanted] {
        assert(allSatisfy { $0 is Wanted })
        return unsafeBitCast(self, to: [Wanted].self)
    }
}

extension NSCoder {
    /// The coder as a ``KeyedUnarchiver``. Nearly always this is its exact class: a cast checks each ancestor.
    @inline(__always)
    fileprivate var keyedUnarchiver: KeyedUnarchiver? {
        type(of: self) == KeyedUnarchiver.self
            ? unsafeDowncast(self, to: KeyedUnarchiver.self) : self as? KeyedUnarchiver
    }
}

extension ObjectDecoder {
    /// Returns the record of a keyed object of one or two Foundation classes; nil for anything else.
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

    /// Shares a long body between references to it; short ones are stored inline and made each time.
    fileprivate func sharingBody<Value>(
        _ uid: UInt32, _ object: BinaryPropertyList.Object, _ make: () throws(ArchiveError) -> Value?
    ) throws(ArchiveError) -> Value? {
        let length = object.bodyLength
        guard length > 15 else { return try make() }
        return try sharing(
            uid, charge: { budget throws(ArchiveError) in try budget.copy(length, offset: record.offset) }, make)
    }
}
