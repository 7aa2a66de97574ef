/// The keys and values of one keyed object, found by their text.
struct ArchiveRecord: BitwiseCopyable {
    /// Up to this many keys a look-up compares them one by one; more are put into a table first.
    static let longestScanned = 16

    let entries: BinaryPropertyList.Entries
    /// Filled for records with many keys, so that reading them all stays linear. Lives as long as the decoding.
    let index: Unmanaged<KeyIndex>?
    /// The position of the object in the file, for messages.
    let offset: Int
}
