/// The keys and values of a keyed object.
struct ArchiveRecord: BitwiseCopyable {
    /// The maximum number of keys that a lookup compares one by one; more are put into a table first.
    static let longestScanned = 16

    let entries: BinaryPropertyList.Entries
    /// The table of a record with many keys, so that reading them all takes linear time. It lives as long as the
    /// decoding.
    let index: Unmanaged<KeyIndex>?
    /// The offset of the object in the file, for errors.
    let offset: Int
}
