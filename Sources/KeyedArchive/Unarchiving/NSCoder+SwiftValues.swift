public import Foundation

/// Swift's own values, read and checked in one step. With ``KeyedUnarchiver`` they come straight from the bytes; on Linux
/// each detour over a class of Foundation costs more than the rest of the decoding together (`NSData` is copied byte by byte).
extension NSCoder {
    /// The string under a key; nil if there is none.
    public func decodeString(forKey key: String) -> String? {
        guard let unarchiver = self as? KeyedUnarchiver else {
            return decodeObject(of: NSString.self, forKey: key)?.description
        }
        return unarchiver.swiftValue(forKey: key, wanted: "a string") { document, object, _ throws(ArchiveError) in
            try document.list.string(object)
        }
    }

    /// The data under a key; nil if there is none.
    public func decodeData(forKey key: String) -> Data? {
        guard let unarchiver = self as? KeyedUnarchiver else {
            return decodeObject(of: NSData.self, forKey: key).map { Data(bytes: $0.bytes, count: $0.length) }
        }
        return unarchiver.swiftValue(forKey: key, wanted: "data") { document, object, _ throws(ArchiveError) in
            guard case .data(let range) = object else { return nil }
            return Data(document.list.bytes[range])
        }
    }

    /// The date under a key; nil if there is none.
    public func decodeDate(forKey key: String) -> Date? {
        guard let unarchiver = self as? KeyedUnarchiver else {
            return decodeObject(of: NSDate.self, forKey: key).map { $0 as Date }
        }
        return unarchiver.swiftValue(forKey: key, wanted: "a date") { document, _, place throws(ArchiveError) in
            guard let record = try document.record(at: place, of: .date) else { return nil }
            return Date(timeIntervalSinceReferenceDate: try document.seconds(of: record))
        }
    }

    /// The UUID under a key; nil if there is none.
    public func decodeUUID(forKey key: String) -> UUID? {
        guard let unarchiver = self as? KeyedUnarchiver else {
            return decodeObject(of: NSUUID.self, forKey: key).map { $0 as UUID }
        }
        return unarchiver.swiftValue(forKey: key, wanted: "a UUID") { document, _, place throws(ArchiveError) in
            guard let record = try document.record(at: place, of: .uuid) else { return nil }
            return try document.uuid(of: record)
        }
    }
}
