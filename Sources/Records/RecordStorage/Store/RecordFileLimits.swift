package import Foundation

/// The limits of the files that belong to records.
public enum RecordFileLimits {
    /// The largest file in bytes. 16 MiB: a file is held in memory while it is stored, and a store for larger ones would
    /// delay its records.
    public static let fileBytes = 16 * 1_024 * 1_024
    /// The seconds for which a file waits for its record. A day: a watch sends the record directly after it, and sends the
    /// file again if it took longer.
    package static let unclaimedSeconds = 86_400.0
    /// The most bytes of files that wait for their records. 1 GiB: the oldest ones beyond it are removed, so that senders
    /// without records cannot fill the disk.
    package static let unclaimedBytes = 1_024 * 1_024 * 1_024
    /// The most files that wait for their records. 10,000: as many as watches that one host knows.
    package static let unclaimedCount = 10_000
    /// The most bytes of files in an outbox. 1 GiB: 64 of the largest ones; what does not fit is refused before it is
    /// accepted.
    public static let outboxBytes = 1_024 * 1_024 * 1_024

    /// Checks that a store can keep a file.
    package static func check(_ content: Data, of kind: RecordKind) throws(StoreError) {
        guard kind.keepsFiles else {
            throw StoreError(.refused, "cannot keep a file: the \(kind.plural) have none")
        }
        guard content.count <= fileBytes else {
            throw StoreError(
                .refused,
                "cannot keep a file of \(content.count) bytes for the \(kind.plural): the limit is \(fileBytes)")
        }
    }
}
