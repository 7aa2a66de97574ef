public import Foundation

/// A payload to be stored. The store uses these columns and never decodes the archive.
public struct Record: Sendable, Equatable {
    /// The key: different devices may use the same identifier.
    public let key: RecordKey
    /// The values of the kind's columns, in their order and of their types.
    public let values: [RecordValue]
    /// The keyed archive, as received.
    public let archive: Data
    /// The SHA-256 of the file that belongs to it; nil for none. The store must have that file before the record.
    public let file: Data?

    /// Creates a record without a file from its columns.
    public init(key: RecordKey, values: [RecordValue], archive: Data) {
        self.init(key: key, values: values, archive: archive, file: nil)
    }

    /// Creates a record from its columns.
    public init(key: RecordKey, values: [RecordValue], archive: Data, file: Data?) {
        self.key = key
        self.values = values
        self.archive = archive
        self.file = file
    }
}
