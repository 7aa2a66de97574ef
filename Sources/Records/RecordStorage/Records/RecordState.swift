public import Foundation

/// The state of one key in a store, small enough to compare two stores without sending their records.
public enum RecordState: Sendable, Equatable {
    /// The store has neither a record with this key nor a trace of one.
    case absent
    /// The record was deleted, and its trace is kept.
    case deleted
    /// The record is stored.
    ///
    /// - received: The SHA-256 digest of the archive as received.
    /// - present: That of the archive now.
    /// - updatedAt: The time of the last change on a host; nil if it was never changed.
    case stored(received: Data, present: Data, updatedAt: Date?)
}
