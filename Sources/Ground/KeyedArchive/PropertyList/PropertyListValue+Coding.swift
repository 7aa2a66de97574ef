public import Foundation

extension PropertyListValue {
    /// Reads a binary property list, archived or plain.
    ///
    /// - Throws: ``ArchiveError`` with the offset of the failure.
    public init(binary data: Data, limits: ArchiveLimits = .standard) throws(ArchiveError) {
        self = try PropertyListReader<PropertyListValue>.value(from: data, limits: limits)
    }

    /// Reads a keyed archive of plain values: dictionaries with string keys, arrays, strings, numbers, data and dates.
    ///
    /// - Parameters:
    ///   - data: The archive.
    ///   - key: The key of the value in the archive's “$top”.
    ///   - limits: The bounds on what is read.
    /// - Throws: ``ArchiveError``, also for objects of any other class.
    public init(
        archive data: Data, key: String = "root", limits: ArchiveLimits = .standard
    ) throws(ArchiveError) {
        self = try PlainArchiveReader.value(from: data, key: key, limits: limits)
    }

    /// Returns the value as a binary property list: equal values have equal bytes, whatever the order of their
    /// dictionaries.
    ///
    /// - Throws: ``ArchiveError`` for null, and for a value that is too large or too deep.
    public func binaryData(limits: ArchiveLimits = .standard) throws(ArchiveError) -> Data {
        try PropertyListWriter.data(of: self, limits: limits)
    }

    /// Returns a keyed archive of the value, under the key “root”: arrays, dictionaries and sets as Foundation's
    /// classes, null as `NSNull`. Equal values have equal bytes.
    ///
    /// - Throws: ``ArchiveError`` for a value that is too large or too deep, for a date that is not finite, and for a
    ///   UID, which an archive cannot contain as a value.
    public func archivedData(limits: ArchiveLimits = .standard) throws(ArchiveError) -> Data {
        try KeyedArchiver.archivedData(of: self, limits: limits)
    }
}
