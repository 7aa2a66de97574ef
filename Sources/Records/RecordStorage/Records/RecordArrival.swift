public import Foundation

/// A record with its time of arrival at a host: now, or for an imported record at the host that received it first.
public struct RecordArrival: Sendable, Equatable {
    /// The record.
    public let record: Record
    /// The time of arrival.
    public let receivedAt: Date

    /// Creates an arrival.
    public init(_ record: Record, receivedAt: Date) { (self.record, self.receivedAt) = (record, receivedAt) }
}
