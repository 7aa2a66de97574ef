public import Foundation

/// The trace of a deleted record: a late duplicate of it is not stored again.
public struct RecordDeletion: Hashable, Sendable {
    /// The key of the record.
    public let key: RecordKey
    /// The time at which a host deleted it.
    public let deletedAt: Date

    /// Creates a trace.
    public init(_ key: RecordKey, deletedAt: Date) { (self.key, self.deletedAt) = (key, deletedAt) }
}
