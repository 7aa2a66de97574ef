public import Foundation

extension PropertyListValue {
    /// Reads a binary property list, archived or plain.
    ///
    /// - Throws: ``ArchiveError``, with the offset at fault.
    public init(binary data: Data, limits: ArchiveLimits = .standard) throws(ArchiveError) {
        self = try PropertyListReader.value(from: data, limits: limits)
    }

    /// Reads a keyed archive of plain values: dictionaries with string keys, arrays, strings, numbers, data and dates.
    ///
    /// - Parameter key: of the value in the archive's “$top”.
    /// - Throws: ``ArchiveError``, also for objects of any other class.
    public init(
        archive data: Data, key: String = "root", limits: ArchiveLimits = .standard
    ) throws(ArchiveError) {
        self = try PlainArchiveReader.value(from: data, key: key, limits: limits)
    }

    /// The value as a binary property list: the same bytes for the same value, whatever the order of its dictionaries.
    public func binaryData(limits: ArchiveLimits = .standard) throws(ArchiveError) -> Data {
        try PropertyListWriter.data(of: self, limits: limits)
    }

    /// A keyed archive of the value, under the key “root”: arrays, dictionaries and sets as Foundation's classes, null as
    /// `NSNull`. The same bytes for the same value.
    ///
    /// - Throws: ``ArchiveError`` for a value that is too large or too deep, and for a UID, which is no value of an archive.
    public func archivedData(limits: ArchiveLimits = .standard) throws(ArchiveError) -> Data {
        try KeyedArchiver.archivedData(of: self, limits: limits)
    }
}
