public import Foundation

extension PropertyListValue {
    /// Reads a binary property list, archived or plain.
    ///
    /// - Throws: ``ArchiveError``, with the offset at fault.
    public init(binary data: Data, limits: ArchiveLimits = .standard) throws(ArchiveError) {
        guard data.count <= limits.bytes else {
            throw ArchiveError(.limitExceeded, "\(data.count) bytes; the limit is \(limits.bytes)")
        }
        self = try PropertyListReader.value(from: Array(data), limits: limits)
    }

    /// Reads a keyed archive of plain values: dictionaries with string keys, arrays, strings, numbers, data and dates.
    ///
    /// - Throws: ``ArchiveError``, also for objects of any other class.
    public init(archive data: Data, limits: ArchiveLimits = .standard) throws(ArchiveError) {
        self = try PlainArchiveReader.value(from: data, limits: limits)
    }

    /// The value as a binary property list: the same bytes for the same value, whatever the order of its dictionaries.
    public func binaryData(limits: ArchiveLimits = .standard) throws(ArchiveError) -> Data {
        var writer = PropertyListWriter(limits: limits)
        let top = try writer.add(self)
        return writer.encoded(top: top)
    }
}
